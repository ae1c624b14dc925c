package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseSettingsTest {

    private static final String SECRET = "s3cr3t";

    /** @param settings alternating names and values */
    private static SmallRyeConfig config(String... settings) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withInterceptors(new DatabaseSettings())
                .withDefaultValue("tidemark.search-path", "public")
                .withDefaultValue(DatabaseParameters.VERIFIED_HOST, "NONE")
                .withSources(new PropertiesConfigSource(properties, "test", 300))
                .build();
    }

    private static SmallRyeConfig url(String url) {
        return config("quarkus.datasource.reactive.url", url);
    }

    /** What the driver makes of each URL. */
    private static List<PgConnectOptions> servers(SmallRyeConfig config) {
        return config.getValues("quarkus.datasource.reactive.url", String.class).stream()
                .map(PgConnectOptions::fromUri)
                .toList();
    }

    private static String get(SmallRyeConfig config, String name) {
        return config.getConfigValue(name).getValue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "postgresql://localhost:5433/shop localhost:5433/shop",
                "postgres://db.example.org/shop db.example.org:5432/shop",
                "vertx-reactive:postgresql://db/shop db:5432/shop",
                "postgresql://h1,h2:5433/shop h1:5432/shop,h2:5433/shop",
                "postgresql://h1:1,h2:2/shop h1:1/shop,h2:2/shop",
                "postgresql://h1:1/shop,postgresql://h2/shop h1:1/shop,h2:5432/shop",
                "postgresql://[2001:db8::1]:5433/shop 2001:db8:0:0:0:0:0:1:5433/shop",
                "postgresql://[::ffff:10.0.0.1]/shop 10.0.0.1:5432/shop",
                "postgresql:///shop?host=/var/run/postgresql /var/run/postgresql:5432/shop",
                "postgresql://%2Ftmp%2Fa:5433/shop /tmp/a:5433/shop",
                "postgresql:///shop localhost:5432/shop",
                "postgresql://?host=h1,h2&port=5433&dbname=shop h1:5433/shop,h2:5433/shop",
                "postgresql://db?hostaddr=&dbname=a%20b%2Cc%2Fd db:5432/a%20b%2Cc%2Fd"
            })
    void theDriverConnectsToTheHostsOfTheUrl(String url, String servers) {
        List<String> actual = servers(url(url)).stream()
                .map(server -> server.getHost() + ':' + server.getPort() + '/' + server.getDatabase())
                .toList();
        assertThat(actual)
                .isEqualTo(Arrays.stream(servers.split(","))
                        .map(each ->
                                each.replace("%20", " ").replace("%2C", ",").replace("%2F", "/"))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "postgresql://ada:s3cr3t@db/shop ada s3cr3t",
                "postgresql://ada:a$&+=!b@db/shop ada a$&+=!b",
                "postgresql://a%40b:p%40%2F%3F%3A%25%20+@db/shop a@b p@/?:%_+",
                "postgresql://ada:a:b@db/shop ada a:b",
                "postgresql://db/shop?user=ada&password=%26+ ada &+"
            })
    void userAndPasswordAreTakenFromTheUrl(String url, String user, String password) {
        SmallRyeConfig config = url(url);
        assertThat(get(config, "quarkus.datasource.username")).isEqualTo(user);
        assertThat(get(config, "quarkus.datasource.password")).isEqualTo(password.replace('_', ' '));
        assertThat(servers(config)).singleElement().satisfies(server -> {
            assertThat(server.getHost()).isEqualTo("db");
            assertThat(server.getDatabase()).isEqualTo("shop");
        });
    }

    @Test
    void settingsThatAreSetByThemselvesHavePrecedence() {
        SmallRyeConfig config = config(
                "quarkus.datasource.reactive.url",
                "postgresql://ada:secret@db/shop?sslmode=require&search_path=a",
                "quarkus.datasource.username",
                "bob",
                "quarkus.datasource.password",
                "other",
                "tidemark.search-path",
                "b",
                "quarkus.datasource.reactive.postgresql.ssl-mode",
                "verify-ca");
        assertThat(get(config, "quarkus.datasource.username")).isEqualTo("bob");
        assertThat(get(config, "quarkus.datasource.password")).isEqualTo("other");
        assertThat(get(config, "tidemark.search-path")).isEqualTo("b");
        assertThat(get(config, "quarkus.datasource.reactive.postgresql.ssl-mode"))
                .isEqualTo("verify-ca");
    }

    @Test
    void theAuthoritiesOfTheSystemVerifyTheHost() {
        SmallRyeConfig config = url("postgresql://db/shop?sslrootcert=system");
        assertThat(get(config, DatabaseParameters.SSL_MODE)).isEqualTo("verify-full");
        assertThat(get(config, DatabaseParameters.VERIFIED_HOST)).isEqualTo("HTTPS");
    }

    @Test
    void namesOfSchemasAreFoldedAsPostgresqlFoldsThem() {
        assertThat(url("postgresql://db/shop?search_path=MyApp,%20b").getValues("tidemark.search-path", String.class))
                .containsExactly("myapp", "b");
    }

    @Test
    void parametersOfLibpqAreHonoured() {
        SmallRyeConfig config = url(
                "postgresql://db/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem"
                        + "&application_name=my%20app&connect_timeout=10&channel_binding=require&target_session_attrs=any"
                        + "&options=-c%20search_path%3Da%2Cb%20-c%20work_mem%3D64MB%20--jit%3Don%20-c%20a.b%3Dx%5C%20y%20endpoint%3Dep-x");
        assertThat(get(config, "quarkus.datasource.reactive.postgresql.ssl-mode"))
                .isEqualTo("verify-full");
        assertThat(get(config, DatabaseParameters.VERIFIED_HOST)).isEqualTo("HTTPS");
        assertThat(get(config, DatabaseParameters.TRUST_PEM)).isEqualTo("true");
        assertThat(get(config, DatabaseParameters.TRUSTED_CERTIFICATES)).isEqualTo("/etc/ca.pem");
        assertThat(config.getValues("tidemark.search-path", String.class)).containsExactly("a", "b");
        assertThat(servers(config)).singleElement().satisfies(server -> assertThat(server.getProperties())
                .containsEntry("application_name", "my app")
                .containsEntry("options", "-c search_path=a,b -c work_mem=64MB --jit=on -c a.b=x\\ y endpoint=ep-x"));
        assertThat(get(config, "tidemark.connect-timeout")).isEqualTo("10s");
    }

    @Test
    void optionsContainSettingsAndWhatIsForProxies() {
        SessionOptions options = SessionOptions.parse("-c work_mem=64MB --jit=on -c a.b=x\\ y -cidle=1 endpoint=ep-c");
        assertThat(options.settings())
                .containsExactlyInAnyOrderEntriesOf(Map.of("work_mem", "64MB", "jit", "on", "a.b", "x y", "idle", "1"));
        assertThat(options.others()).isEqualTo("endpoint=ep-c");
        assertThat(SessionOptions.parse("").settings()).isEmpty();
    }

    @Test
    void withoutParametersNothingElseIsSet() {
        SmallRyeConfig config = url("postgresql://db/shop");
        assertThat(get(config, "tidemark.search-path")).isEqualTo("public");
        assertThat(get(config, DatabaseParameters.VERIFIED_HOST)).isEqualTo("NONE");
        assertThat(get(config, DatabaseParameters.TRUST_PEM)).isNull();
        assertThat(servers(config)).singleElement().satisfies(server -> assertThat(server.getSslMode())
                .isEqualTo(SslMode.DISABLE));
    }

    @Test
    void theUrlOfThePlatformIsTakenIfThereIsNoOther() {
        String common = "postgres://ada:" + SECRET + "@h1/shop";
        SmallRyeConfig config = config("DATABASE_URL", common, "PGHOST", "h2", "PGPORT", "5433", "PGUSER", "bob");
        assertThat(servers(config)).singleElement().satisfies(server -> {
            assertThat(server.getHost()).isEqualTo("h1");
            assertThat(server.getPort()).isEqualTo(5433);
        });
        assertThat(get(config, "quarkus.datasource.username")).isEqualTo("ada");
        SmallRyeConfig ours = config(
                "DATABASE_URL", common, "quarkus.datasource.reactive.url", "postgresql://h3/shop", "PGPORT", "1");
        assertThat(get(ours, "quarkus.datasource.reactive.url")).isEqualTo("postgresql://h3:5432/shop");
        assertThat(get(ours, "quarkus.datasource.username")).isNull();
    }

    @Test
    void theVariablesOfLibpqAreTakenIfThereIsNoUrl() {
        SmallRyeConfig config = config(
                "PGHOST", "db", "PGDATABASE", "shop", "PGUSER", "ada", "PGPASSWORD", SECRET, "PGSSLMODE", "require");
        assertThat(get(config, "quarkus.datasource.reactive.url")).isEqualTo("postgresql://db:5432/shop");
        assertThat(get(config, "quarkus.datasource.username")).isEqualTo("ada");
        assertThat(get(config, "quarkus.datasource.password")).isEqualTo(SECRET);
        assertThat(get(config, "quarkus.datasource.reactive.postgresql.ssl-mode"))
                .isEqualTo("require");
        assertThat(get(config("PGUSER", "ada", "PGDATABASE", "shop"), "quarkus.datasource.reactive.url"))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgresql://db/shop?sslmod=require | unknown parameter \"sslmod\"; the nearest name is sslmode",
                "postgresql://db/shop?pgbouncer=true | unknown parameter \"pgbouncer\"",
                "postgresql://db/shop?ssl=true | write sslmode=require",
                "postgresql://db/shop?sslmode=verify_full | unknown sslmode; the nearest name is verify-full",
                "postgresql://db/shop?target_session_attrs=read-write | itself finds the primary",
                "postgresql://db/shop?channel_binding=require | needs sslmode=require",
                "postgresql://db/shop?sslrootcert=/etc/ca.pem | no sslmode that verifies",
                "postgresql://db/shop?sslrootcert=system&sslmode=require | needs sslmode=verify-full",
                "postgresql://db/shop?search_path=%22$user%22,public | set TIDEMARK_SEARCH_PATH",
                "postgresql://db/shop?connect_timeout=7200 | from 1 to 3600",
                "postgresql://db/shop?sslnegotiation=direct | can only be [postgres]",
                "postgresql://db/shop?gssencmode=require | no encryption by GSSAPI",
                "postgresql://db/shop?connect_timeout=soon | connect_timeout that is not from 1",
                "postgresql://db/shop?sslmode | parameter without a value",
                "postgresql://db | names no database",
                "postgresql://ada:s3cr3t@h1:x/shop | host or port that is none",
                "postgresql://ada:s3cr3t/1@h1/shop | host or port that is none",
                "postgresql://ada:s3cr3t@1@h1/shop | more than one @",
                "postgresql://ada:s3cr3t%@h1/shop | without two hexadecimal digits",
                "postgresql://2001:db8::1/shop | write an IPv6 address in brackets",
                "postgresql://[2001:db8::g]/shop | no IPv6 address",
                "postgresql://db:99999/shop | not from 1 to 65535",
                "postgresql://h1,h2/shop?port=1,2,3 | 3 ports for 2 hosts",
                "postgresql://h1/shop,postgresql://h2/other | differ in more than the host",
                "jdbc:postgresql://db/shop?password=s3cr3t | begins with jdbc:",
                "mysql://ada:s3cr3t@db/shop | is not a PostgreSQL URL",
                "db.example.org:5432 | is not a PostgreSQL URL"
            })
    void aFaultIsNamedWithoutThePassword(String url, String message) {
        for (String name : List.of("quarkus.datasource.reactive.url", "DATABASE_URL")) {
            assertThatThrownBy(() -> DatabaseSettings.check(config(name, url)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(name.equals("DATABASE_URL") ? name : "QUARKUS_DATASOURCE_REACTIVE_URL")
                    .hasMessageContaining(message)
                    .hasMessageNotContaining(SECRET);
        }
    }

    @Test
    void urlsInAListAreAFault() {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withInterceptors(new DatabaseSettings())
                .withSources(new YamlConfigSource(
                        "test",
                        "quarkus: {datasource: {reactive: {url: ['postgresql://h1/shop', 'postgresql://h2/shop']}}}"))
                .build();
        assertThatThrownBy(() -> DatabaseSettings.check(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "QUARKUS_DATASOURCE_REACTIVE_URL is a list; write its hosts into one URL, separated by commas");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql://h1,h2/shop?options=-c%20work_mem%3D1MB", "postgresql://a:b@db/shop"})
    void aUrlWithoutFaultsPassesTheCheck(String url) {
        DatabaseSettings.check(url(url));
        DatabaseSettings.check(config("DATABASE_URL", url));
        DatabaseSettings.check(config());
    }
}
