package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class CursorKeysTest {

    private static final String VALID_KEY = Sealers.key(1);

    @Test
    void aKeyThatIsNotBase64IsNamedByItsPosition() {
        assertThatThrownBy(() -> CursorKeys.parse(List.of(VALID_KEY, "sesame, open!")))
                .isInstanceOf(MalformedKeyException.class)
                .hasMessage("tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS): key 2 is not base64");
    }

    @Test
    void aKeyOfTheWrongSizeIsNamedByItsPosition() {
        assertThatThrownBy(() -> CursorKeys.parse(List.of(Base64.getEncoder().encodeToString(new byte[32]))))
                .isInstanceOf(MalformedKeyException.class)
                .hasMessage("tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS): key 1 has 32 bytes instead of 64");
    }

    @Test
    void aDuplicateKeyIsRejected() {
        assertThatThrownBy(() -> CursorKeys.parse(List.of(VALID_KEY, VALID_KEY)))
                .isInstanceOf(MalformedKeyException.class)
                .hasMessage("tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS): key 2 is a duplicate");
    }

    @Test
    void anErrorMessageNeverShowsTheKey() {
        Throwable rejection = catchThrowable(() -> CursorKeys.parse(List.of("c2VzYW1l")));
        assertThat(rejection).hasMessageNotContaining("c2VzYW1l").hasNoCause();
    }

    @Test
    void aLineBreakWithinAKeyIsIgnored() {
        assertThat(CursorKeys.parse(List.of(VALID_KEY.substring(0, 64) + "\n" + VALID_KEY.substring(64) + "\n")))
                .isNotNull();
    }
}
