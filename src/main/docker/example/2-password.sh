#!/usr/bin/env bash
# Sets the password of the role tidemark to the password in Tidemark's secret file.
set -euo pipefail

password=$(sed -n 's/^quarkus\.datasource\.password=//p' "${TIDEMARK_SECRETS:-/run/secrets/tidemark.properties}")
: "${password:?there is no quarkus.datasource.password in the secret file tidemark.properties}"
psql -v ON_ERROR_STOP=1 --no-psqlrc -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v password="$password" <<'SQL'
ALTER ROLE tidemark PASSWORD :'password';
SQL
