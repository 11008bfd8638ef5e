package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.ObjectChange.Kind;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.ObjectList.Item;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.PrefixChanges;
import io.testudo.ordering.message.WatchPrefix;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four servers, of which one may lie. */
class NameNoticesTest {
  private long nonce;
  private final OrderingClient client =
      new OrderingClient(
          Mode.SEALED_STATEMENTS.need().thresholds(4, 1),
          Mode.SEALED_STATEMENTS,
          OrderTiming.standard(),
          5,
          OrderSeals.none(),
          () -> ++nonce);

  private final List<Object> results = new ArrayList<>();
  private final List<Effect.Send<ServerId>> sent = new ArrayList<>();
  private final List<TimerKey> timers = new ArrayList<>();
  private long call;

  @BeforeEach
  void start() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ServerId> input) {
    results.clear();
    sent.clear();
    timers.clear();
    for (Effect<ServerId> effect : client.step(input, new Moment(0, 1_700_000_000_000L))) {
      if (effect instanceof Effect.Complete<ServerId> complete) {
        results.add(complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> fail) {
        results.add(fail.reason());
      } else if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send);
      } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.add(timer.key());
      }
    }
  }

  private void await(long watch) {
    step(new Input.Called<>(new CallId<>(++call), new AwaitNames(watch, "a/", 1_000, 10_000)));
  }

  private void tell(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  private void tell(int server, Item... items) {
    tell(server, new PrefixChanges("a/", 7, false, List.of(items)));
    List.copyOf(timers).forEach(timer -> step(new Input.TimerFired<>(timer)));
  }

  private static Item item(long version) {
    return new Item("a/b", version, 3, 100, false);
  }

  private static Item gone(long version) {
    return new Item("a/b", version, 0, 100, true);
  }

  private <T extends Message> List<T> sent(Class<T> type) {
    return sent.stream()
        .map(Effect.Send::message)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  private static ImmutableList<ObjectChange> news(Kind kind, long version) {
    OptionalInt type = kind == Kind.DELETED ? OptionalInt.empty() : OptionalInt.of(3);
    return ImmutableList.of(new ObjectChange("a/b", kind, version, type));
  }

  @Test
  void believesWhatMoreServersSayThanCanLie() {
    await(1);
    assertThat(sent(WatchPrefix.class)).hasSize(4);
    assertThat(sent(ListObjects.class)).hasSize(4);
    tell(0, new PrefixChanges("a/", 7, false, List.of(item(5))));
    assertThat(results).isEmpty();
    tell(1, new PrefixChanges("a/", 9, false, List.of(item(4))));
    assertThat(results).isEmpty();
    tell(2, new PrefixChanges("a/", 3, false, List.of(item(5))));
    assertThat(results).containsExactly(news(Kind.CREATED, 5));
  }

  @Test
  void isWokenByNoLiarHoweverOftenItSpeaks() {
    await(1);
    for (long version = 1; version < 50; version++) {
      tell(3, item(version), gone(version), new Item("a/other", version));
      assertThat(results).isEmpty();
    }
  }

  @Test
  void asksAgainAMomentAfterAServerHasSpoken() {
    await(1);
    tell(0, new PrefixChanges("a/", 7, false, List.of(item(5))));
    assertThat(sent).as("a liar would keep us busy").isEmpty();
    List<TimerKey> due = List.copyOf(timers);
    tell(0, new PrefixChanges("a/", 8, false, List.of(item(6))));
    due.forEach(timer -> step(new Input.TimerFired<>(timer)));
    assertThat(sent(WatchPrefix.class)).containsExactly(new WatchPrefix("a/", 7));
  }

  @Test
  void tellsWhatCameChangedAndWent() {
    await(1);
    tell(0, item(1));
    tell(1, new PrefixChanges("a/", 7, false, List.of(item(1))));
    assertThat(results).containsExactly(news(Kind.CREATED, 1));
    List.copyOf(timers).forEach(timer -> step(new Input.TimerFired<>(timer)));
    await(1);
    tell(2, item(2));
    tell(3, new PrefixChanges("a/", 7, false, List.of(item(2))));
    assertThat(results).containsExactly(news(Kind.CHANGED, 2));
    await(1);
    tell(0, gone(3));
    tell(1, new PrefixChanges("a/", 8, false, List.of(gone(3))));
    assertThat(results).containsExactly(news(Kind.DELETED, 3));
    await(1);
    tell(1, item(2));
    assertThat(results).as("of the past").isEmpty();
  }

  @Test
  void toldOfNothingThatCameAndWentUnheard() {
    await(1);
    tell(0, gone(3));
    tell(1, gone(3));
    assertThat(results).isEmpty();
  }

  @Test
  void learnsFromListsWhatWasLost() {
    await(1);
    long first = sent(ListObjects.class).get(0).nonce();
    long second = sent(ListObjects.class).get(1).nonce();
    tell(0, new ObjectList(first, List.of(item(5)), true));
    assertThat(sent(ListObjects.class)).hasSize(1);
    assertThat(sent(ListObjects.class).get(0).after()).isEqualTo("a/b");
    tell(0, new ObjectList(first, List.of(item(6)), false));
    tell(1, new ObjectList(second, List.of(item(5)), false));
    assertThat(results).containsExactly(news(Kind.CREATED, 5));
  }

  /** Begun anew at each look, a list that takes longer than the pause between them never ends. */
  @Test
  void goesOnWithALongListWhenItIsTimeForTheNext() {
    await(1);
    List<TimerKey> due = List.copyOf(timers);
    long nonce = sent(ListObjects.class).get(0).nonce();
    tell(0, new ObjectList(nonce, List.of(item(5)), true));
    List<ListObjects> next = listsAskedForAt(due);
    assertThat(next).extracting(ListObjects::after).containsExactly("a/b", "", "", "");
    tell(0, new ObjectList(next.get(0).nonce(), List.of(), false));
    assertThat(listsAskedForAt(due)).extracting(ListObjects::after).containsOnly("");
  }

  private List<ListObjects> listsAskedForAt(List<TimerKey> due) {
    List<ListObjects> asked = new ArrayList<>();
    for (TimerKey timer : due) {
      step(new Input.TimerFired<>(timer));
      asked.addAll(sent(ListObjects.class));
    }
    return asked;
  }

  @Test
  void listsAnewIfMoreServersThanCanLieHaveForgottenWhatChanged() {
    await(1);
    List<Long> nonces = sent(ListObjects.class).stream().map(ListObjects::nonce).toList();
    for (int i = 0; i < nonces.size(); i++) {
      tell(i, new ObjectList(nonces.get(i), List.of(), false));
    }
    tell(3, new PrefixChanges("a/", 7, true, List.of()));
    assertThat(sent(ListObjects.class)).isEmpty();
    tell(0, new PrefixChanges("a/", 7, true, List.of()));
    assertThat(sent(ListObjects.class)).hasSize(4);
  }

  @Test
  void endsIfMoreServersThanCanLieDoNotLetItRead() {
    await(1);
    tell(3, new NoRight(Right.READ, "a/"));
    tell(3, new NoRight(Right.READ, "a/"));
    tell(0, new NoRight(Right.READ, "b/"));
    assertThat(results).isEmpty();
    tell(0, new NoRight(Right.READ, "a/"));
    assertThat(results).hasOnlyElementsOfType(NotAllowedException.class).hasSize(1);
    await(1);
    assertThat(sent(WatchPrefix.class)).as("it begins anew").hasSize(4);
  }

  /** Keys are being replaced, or rights: whoever has heard something goes on then. */
  @Test
  void outlivesRefusalsOnceItHasHeardSomething() {
    await(1);
    tell(0, item(1));
    tell(1, item(1));
    await(1);
    for (int server = 0; server < 4; server++) {
      tell(server, new NoRight(Right.READ, "a/"));
      assertThat(results).isEmpty();
    }
  }

  @Test
  void watchesNoMoreThanItsBounds() {
    for (int i = 0; i < NameNotices.MAX_WATCHES; i++) {
      await(i);
      assertThat(results).isEmpty();
    }
    await(-1);
    assertThat(results).hasOnlyElementsOfType(OverloadedException.class).hasSize(1);
    step(new Input.Called<>(new CallId<>(++call), new EndNames(0)));
    assertThat(results).contains(true);
    await(-1);
    assertThat(results).isEmpty();
  }
}
