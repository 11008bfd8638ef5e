package io.testudo.mutex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What refuses holders who come too late. */
class FencedResourceTest {
  private final List<String> log = new ArrayList<>();
  private final FencedResource<List<String>> resource = new FencedResource<>(log);

  @Test
  void aHolderMayComeAgainAndALaterOneToo() {
    assertThat(resource.<Boolean>use(5, it -> it.add("first"))).isTrue();
    assertThat(resource.<Boolean>use(5, it -> it.add("again"))).isTrue();
    assertThat(resource.<Boolean>use(6, it -> it.add("later"))).isTrue();
    assertThat(log).containsExactly("first", "again", "later");
    assertThat(resource.highest()).isEqualTo(6);
  }

  @Test
  void refusesAnEarlierHolderAndDoesNothing() {
    assertThat(resource.<Boolean>use(6, it -> it.add("later"))).isTrue();
    assertThatExceptionOfType(StaleFenceException.class)
        .isThrownBy(() -> resource.use(5, it -> it.add("too late")))
        .satisfies(
            refused -> {
              assertThat(refused.token()).isEqualTo(5);
              assertThat(refused.highest()).isEqualTo(6);
            });
    assertThat(log).containsExactly("later");
  }

  @Test
  void aUseThatFailsHalfwayShutsEarlierHoldersOutToo() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                resource.use(
                    6,
                    it -> {
                      throw new IllegalStateException("halfway");
                    }));
    assertThatExceptionOfType(StaleFenceException.class)
        .isThrownBy(() -> resource.use(5, it -> it.add("too late")));
  }

  @Test
  void goesOnFromWhatItHadSeenBefore() {
    FencedResource<List<String>> restored = new FencedResource<>(log, 9);
    assertThatExceptionOfType(StaleFenceException.class)
        .isThrownBy(() -> restored.use(8, it -> it.add("too late")));
  }
}
