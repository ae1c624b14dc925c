package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.client.KeptList.Part;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptFormTest {

    private static final FeedList<String> LIST =
            TidemarkClient.of(URI.create("http://localhost:1")).feed("cards", json -> json);
    private static final byte[] BYTES =
            form(LIST).write(part("{\"id\":\"1\",\"body\":\"a\\n\\\"}ä\uD83D\uDE00\"}", "{\"id\":\"2\"}"));

    @TempDir
    Path directory;

    private static KeptForm<String> form(FeedList<String> list) {
        return new KeptForm<>(list, KeptFormTest::key, json -> json);
    }

    private static List<String> key(String json) {
        return List.of(json.replaceAll(".*\"id\":\"(\\d+)\".*", "$1"));
    }

    private static Part<String> part(String... items) {
        return new Part<>(Window.of(List.of(items), KeptFormTest::key), "bottom", "moment");
    }

    @Test
    void aPartComesBackAsItWas() {
        Part<String> part = part("{\"id\":\"1\",\"body\":\"a\\n\\\"}ä\uD83D\uDE00\"}", "{\"id\":\"2\"}");
        assertThat(form(LIST).read(BYTES)).contains(part);
        assertThat(form(LIST).read(form(LIST).write(part()))).contains(part());
    }

    @Test
    void whatIsIncompleteOrAlteredIsAbsent() {
        for (int length = 0; length < BYTES.length; length++) {
            assertThat(form(LIST).read(Arrays.copyOf(BYTES, length)))
                    .as("the first %s bytes", length)
                    .isEmpty();
        }
        for (int i = 0; i < BYTES.length; i++) {
            byte[] altered = BYTES.clone();
            altered[i] ^= 4;
            assertThat(form(LIST).read(altered)).as("byte %s is altered", i).isEmpty();
        }
        assertThat(form(LIST).read(Arrays.copyOf(BYTES, BYTES.length + 4096)))
                .as("followed by zeros")
                .isEmpty();
        assertThat(form(LIST).read("{\"items\":[]}".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void whatAnotherListHasKeptIsAbsent() {
        FeedList<String> two = LIST.where("title", "a").order("title");
        byte[] bytes = form(two).write(part());
        assertThat(form(LIST).read(bytes)).isEmpty();
        assertThat(form(LIST.where("title", "b").order("title")).read(bytes)).isEmpty();
        assertThat(form(two.fields("id")).read(bytes)).isEmpty();
        assertThat(form(LIST.order("title").where("title", "a").limit(7).count("exact"))
                        .read(bytes))
                .as("the same list")
                .isPresent();
    }

    @Test
    void whatCanNoLongerBeMappedIsAbsent() {
        FeedList<String> other = LIST.mapper(json -> {
            throw new IOException("a field is missing");
        });
        assertThat(form(other).read(BYTES)).isEmpty();
    }

    @Test
    void aFileIsReplacedAsAWhole() throws IOException {
        Path file = directory.resolve("list");
        KeptList.Store store = KeptList.Store.file(file);
        assertThat(store.load()).isEmpty();
        store.save(new byte[100]);
        Files.write(directory.resolve("list.tmp"), new byte[1000]);
        store.save(BYTES);
        assertThat(store.load()).hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(BYTES));
        assertThat(directory).isDirectoryContaining(file::equals);
        assertThat(directory.resolve("list.tmp")).doesNotExist();

        KeptList.Store nowhere = KeptList.Store.file(directory.resolve("missing/list"));
        assertThat(nowhere.load()).isEmpty();
        assertThatThrownBy(() -> nowhere.save(BYTES)).isInstanceOf(IOException.class);
    }

    @Test
    void aStoreThatCannotBeReadIsEmpty() {
        KeptList<String> kept = LIST.keep(KeptFormTest::key, KeptList.Store.file(directory));
        assertThat(kept.items()).isEmpty();
    }
}
