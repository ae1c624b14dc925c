package dev.tidemark.naming;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password",
                "Passwd",
                "passwordHash",
                "user_pass",
                "pwd",
                "passphrase",
                "salt",
                "pw_salt",
                "token_digest",
                "content_hash",
                "refreshToken",
                "csrftoken",
                "client_secret",
                "credentials",
                "api_key",
                "APIKey",
                "apikey",
                "private_key",
                "ssh_key",
                "signing_key",
                "encryption_key",
                "session_key",
                "accessKeyId",
                "otp",
                "mfa_codes",
                "recovery_codes",
                "reset_code",
                "cookie",
                "webhook_url",
                "callback_url",
                "pin",
                "cvv",
                "card_number",
                "iban",
                "ssn",
                "signature",
                "kennwort",
                "mot_de_passe",
                "contraseña",
                "senha",
                "wachtwoord",
                "jwt",
                "userJwt",
                "bearer",
                "security_answer",
                "social_security",
                "socialsecuritynumber",
                "cc_number",
                "tax_id",
                "taxId",
                "session_id",
                "sessionid",
                "pgp_key",
                "national_id",
                "passport_no",
                "bank_account",
                "routing_number",
                "driver_license",
                "drivers_licence_no",
                "secretary_token"
            })
    void aNameThatMeansASecretIsRecognized(String name) {
        assertThat(ColumnNames.suggestsSecret(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "title",
                "key",
                "foreign_key",
                "passenger_id",
                "passes",
                "compass",
                "hashtag",
                "pinned",
                "monkey",
                "code",
                "country_code",
                "callback_at",
                "account_id",
                "design",
                "secretary",
                "secretaries",
                "tokenized",
                "tokenizer",
                "token_count",
                "token_expires",
                "password_required",
                "password_changed_at",
                "password_version",
                "mfa_enabled",
                "taxi_driver",
                "possession_id",
                "forbearer"
            })
    void anotherNameIsNotTakenForASecret(String name) {
        assertThat(ColumnNames.suggestsSecret(name)).isFalse();
    }
}
