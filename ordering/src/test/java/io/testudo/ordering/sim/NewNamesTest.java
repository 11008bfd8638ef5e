package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.client.ReadmissionException;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that lost its memory takes part in objects that are new, and only in those, once it was
 * told which are not. {@link AgreementChecker} is what fails where it does so too early.
 */
class NewNamesTest {
  static final int LOST = 0;

  /** More messages than a readmission takes. */
  private static final int MANY = 200;

  static int[] everyone(ByHand hand) {
    return IntStream.range(0, hand.thresholds.servers()).toArray();
  }

  private static int[] without(ByHand hand, int role) {
    return IntStream.of(everyone(hand)).filter(one -> one != role).toArray();
  }

  static void loses(ByHand hand, int role) {
    hand.server(role).startWithoutMemory(Enrolment.RETURNING);
  }

  static Client begins(ByHand hand, int role) {
    Client admin = hand.administrator();
    admin.readmit(role);
    return admin;
  }

  private static void isReadmitted(ByHand hand, int role) {
    Client admin = begins(hand, role);
    admin.finish(everyone(hand));
    assertThat(admin.failures).isEmpty();
    assertThat(admin.readmitted).hasSize(1);
    assertThat(admin.readmitted.get(0).left()).as("all is known there").isZero();
  }

  /** It is told the names, and brought up to date with none of them. */
  private static void isToldNamesOnly(ByHand hand, int role) {
    Client admin = begins(hand, role);
    advance(admin, MANY, CompleteMemory.class);
    admin.drive(role);
    admin.loseAll();
  }

  /** Delivers so many messages, each with its answer, but no further than one of a kind. */
  private static int advance(Client client, int messages, Class<?> until) {
    int delivered = 0;
    while (delivered < messages && !client.requests.isEmpty()) {
      Parcel next = client.requests.get(0);
      if (until.isInstance(next.message())) {
        break;
      }
      client.ask(next.message().getClass(), next.role());
      delivered++;
    }
    return delivered;
  }

  static void makes(ByHand hand, String name, int... roles) {
    Client client = hand.client();
    client.giveWayToNobody();
    client.make(name);
    client.drive(roles);
    assertThat(client.made).hasSize(1);
  }

  /** Whether a server takes part in an object that it does not know, as far as a run can tell. */
  static boolean takesPart(ByHand hand, int role, String name) {
    Client client = hand.client();
    client.make(name);
    client.reach(Get.class, role);
    return !hand.server(role).machine().rank(name).equals(Rank.NONE);
  }

  /**
   * One client whose questions have reached nobody, and one of a higher rank, whose questions have
   * reached a few; none of them has heard an answer.
   */
  private static final class Rivals {
    final ByHand hand;
    final Client early;
    final Client late;

    Rivals(ByHand hand, int... reached) {
      this.hand = hand;
      early = hand.submitter();
      early.loseSubmits();
      late = hand.submitter();
      late.loseSubmits();
      late.reach(Get.class, reached);
    }

    /**
     * The early one goes first, with the liar and those of the lowest roles; then the late one
     * hears what was said to it before, the liar, who knows nothing, and as few of the last quorum
     * as can be.
     */
    void race(int... reached) {
      int quorum = hand.thresholds.quorum();
      early.giveWayToNobody();
      early.drive(
          IntStream.concat(IntStream.range(0, quorum - 1), IntStream.of(hand.liar)).toArray());
      late.hear(reached);
      late.hear(hand.liar, ByHand.knowsNothing(late.last(Get.class)));
      int vouching = hand.mode == Mode.SEALED_STATEMENTS ? 0 : hand.thresholds.faults();
      int[] few =
          IntStream.concat(
                  IntStream.range(quorum - 1, hand.liar),
                  IntStream.range(reached.length, reached.length + vouching))
              .toArray();
      late.drive(few);
      late.drive(IntStream.concat(IntStream.of(few), IntStream.of(reached)).toArray());
      late.drive(hand.correct());
      early.drive(hand.correct());
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void makesANewObjectThoughAllOfAQuorumWereReadmitted(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    makes(hand, "old", everyone(hand));
    int[] quorum = IntStream.range(0, hand.thresholds.quorum()).toArray();
    for (int role : quorum) {
      loses(hand, role);
      isReadmitted(hand, role);
    }
    makes(hand, "new", quorum);
    makes(hand, "old", quorum);
    Client client = hand.submitter();
    client.drive(quorum);
    assertThat(client.receipts).hasSize(1);
  }

  /** That is an outage, and no fork. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void makesNoNewObjectIfTooManyWereNotToldWhichAreNew(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    for (int role = 0; role < hand.thresholds.blocking(); role++) {
      loses(hand, role);
    }
    Client client = hand.submitter();
    client.drive(everyone(hand));
    assertThat(client.receipts).isEmpty();
  }

  /** Only the lost one had heard of the name, so nobody lists it: the note has to void it. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatWasSaidBeforeTheLossIsVoidForNamesThatNobodyElseKnew(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Rivals rivals = new Rivals(hand, LOST);
    loses(hand, LOST);
    isReadmitted(hand, LOST);
    rivals.race(LOST);
    assertThat(rivals.early.receipts).as("it is new to the lost one").hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void theSameAfterRestarts(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Rivals rivals = new Rivals(hand, LOST);
    loses(hand, LOST);
    isReadmitted(hand, LOST);
    for (int role : everyone(hand)) {
      hand.server(role).restart();
    }
    rivals.race(LOST);
    assertThat(rivals.early.receipts).as("it is new to the lost one").hasSize(1);
  }

  /** Wherever it is cut off, also if all servers restart then, and if it is begun again or not. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void mayBeCutOffAfterEveryMessage(Mode mode) {
    for (int cut = 0; ; cut++) {
      boolean isOver = false;
      for (boolean isRepeated : new boolean[] {false, true}) {
        ByHand hand = new ByHand(mode, 0);
        makes(hand, "old", everyone(hand));
        Rivals rivals = new Rivals(hand, LOST);
        loses(hand, LOST);
        Client admin = begins(hand, LOST);
        isOver = advance(admin, cut, Rank.class) < cut;
        for (int role : everyone(hand)) {
          hand.server(role).restart();
        }
        if (isRepeated) {
          isReadmitted(hand, LOST);
        }
        rivals.race(LOST);
        makes(hand, "old", everyone(hand));
      }
      if (isOver) {
        assertThat(cut).isGreaterThan(2 * hand(mode).thresholds.quorum());
        return;
      }
    }
  }

  private static ByHand hand(Mode mode) {
    return new ByHand(mode, 0);
  }

  /** Those who took note lose their memory, too, one after the other. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aLossIsStillKnownForNewNamesWhenThoseWhoNotedItLoseTheirMemory(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Rivals rivals = new Rivals(hand, LOST);
    for (int role : hand.correct()) {
      loses(hand, role);
      isReadmitted(hand, role);
    }
    rivals.race(LOST);
    assertThat(rivals.early.receipts).hasSize(1);
  }

  /** A promise alone is what a run may rest on. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isAbsentForANameThatOthersHaveOnlyPromisedARankFor(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Rivals rivals = new Rivals(hand, LOST, 1);
    loses(hand, LOST);
    isToldNamesOnly(hand, LOST);
    assertThat(takesPart(hand, LOST, "new")).isTrue();
    assertThat(takesPart(hand, LOST, OBJECT)).isFalse();
    hand.server(LOST).restart();
    assertThat(takesPart(hand, LOST, OBJECT)).isFalse();
    isReadmitted(hand, LOST);
    rivals.race(LOST, 1);
    Client client = hand.submitter();
    client.giveWayToNobody();
    client.drive(hand.correct());
    assertThat(client.receipts).as("it is made all the same").hasSize(1);
  }

  /** One who may have forgotten a name lists it: who relies on it must not take it for new. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void namesThatAServerMayHaveForgottenAreHandedOn(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Rivals rivals = new Rivals(hand, LOST, 1);
    for (int role : new int[] {LOST, 1}) {
      loses(hand, role);
      isToldNamesOnly(hand, role);
      assertThat(takesPart(hand, role, OBJECT)).isFalse();
    }
    rivals.race(LOST, 1);
  }

  static MemoryPage page(Client admin, AskMemory asked, long epoch, String... names) {
    return new MemoryPage(
        asked.nonce(),
        epoch,
        true,
        0,
        lossesToldOf(admin),
        IntStream.range(0, names.length)
            .mapToObj(i -> new MemoryPage.Name(names[i], false))
            .toList(),
        false);
  }

  static List<MemoryEpoch> lossesToldOf(Client admin) {
    return admin.delivered.stream()
        .flatMap(it -> it.message() instanceof AskMemory ask ? ask.lost().stream() : null)
        .distinct()
        .toList();
  }

  /** All others take note; then these do not answer, and what they are asked is left open. */
  static Client allTakeNote(ByHand hand) {
    Client admin = begins(hand, LOST);
    admin.ask(AskMemory.class, LOST);
    admin.ask(AskMemory.class, without(hand, LOST));
    return admin;
  }

  /** A liar that takes note and keeps silent about a name: one honest word is enough. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isAbsentForANameThatOneServerListsAndALiarHides(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Rivals rivals = new Rivals(hand, LOST, 1, hand.liar);
    loses(hand, LOST);
    Client admin = allTakeNote(hand);
    admin.hear(
        hand.liar, page(admin, admin.last(AskMemory.class), MemoryEpoch.FOUNDING, "invented"));
    admin.finish(hand.correct());
    assertThat(admin.readmitted).hasSize(1);
    for (String name : List.of(OBJECT, "invented")) {
      assertThat(hand.server(2).machine().rank(name)).as("it is made").isNotEqualTo(Rank.NONE);
    }
    rivals.race(LOST, 1);
  }

  /** Few take note, or few list: that could be those who know nothing. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isToldNothingBeforeAQuorumOfOthersTookNoteAndListed(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    loses(hand, LOST);
    int[] tooFew = IntStream.range(1, hand.thresholds.quorum()).toArray();
    Client admin = begins(hand, LOST);
    admin.ask(AskMemory.class, LOST);
    for (int i = 0; i < 5; i++) {
      admin.drive(tooFew);
      admin.passTime();
    }
    assertThat(admin.hasUnderWay(CompleteMemory.class)).isFalse();
    admin.finish(tooFew);
    assertThat(admin.failures).hasSize(1);
    assertThat(admin.failures.get(0))
        .isInstanceOf(ReadmissionException.class)
        .hasMessageContaining("took note of the loss")
        .hasMessageContaining("s" + hand.liar + " does not answer");

    Client second = allTakeNote(hand);
    for (int i = 0; i < 5; i++) {
      second.drive(tooFew);
      second.passTime();
    }
    assertThat(second.hasUnderWay(CompleteMemory.class)).isFalse();
    second.finish(tooFew);
    assertThat(second.failures).hasSize(1);
    assertThat(second.failures.get(0)).hasMessageContaining("listed their names");
  }

  /** It may have forgotten the note, and what it promised, and does not know that. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aListInAnotherMemoryThanTheNoteDoesNotCount(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    loses(hand, LOST);
    Client admin = allTakeNote(hand);
    admin.drive(IntStream.range(1, hand.thresholds.quorum()).toArray());
    for (int role = hand.thresholds.quorum(); role <= hand.liar; role++) {
      AskMemory asked = admin.last(AskMemory.class, role);
      admin.hear(role, page(admin, asked, MemoryEpoch.FOUNDING + 1));
    }
    admin.passTime();
    assertThat(admin.hasUnderWay(CompleteMemory.class)).isFalse();
    assertThat(admin.hasUnderWay(AskMemory.class)).as("it begins anew").isTrue();
    admin.finish(everyone(hand));
    assertThat(admin.readmitted).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void isNotToldByWhatWasMeantForAnEarlierMemory(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    loses(hand, LOST);
    Client admin = begins(hand, LOST);
    admin.finish(everyone(hand));
    loses(hand, LOST);
    admin.misdirect(admin.last(CompleteMemory.class), LOST);
    assertThat(takesPart(hand, LOST, "new")).isFalse();
    isReadmitted(hand, LOST);
    assertThat(takesPart(hand, LOST, "new")).isTrue();
  }

  /** What is named does not help: nobody notes an epoch below the last one. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isNotReadmittedIfItsClockWentBackBetweenTwoLosses(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    loses(hand, LOST);
    isReadmitted(hand, LOST);
    hand.setClocks(-10_000);
    loses(hand, LOST);
    hand.setClocks(10_000);
    Client admin = begins(hand, LOST);
    admin.finish(everyone(hand));
    assertThat(admin.failures).hasSize(1);
    assertThat(admin.failures.get(0)).hasMessageContaining("its clock showed a later time");
    assertThat(takesPart(hand, LOST, "new")).isFalse();
    loses(hand, LOST);
    isReadmitted(hand, LOST);
  }

  /** More than may fail at once: that is an outage, unless there are servers to spare. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void thoseThatLostTheirMemoryDoNotVouchForEachOther(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    loses(hand, LOST);
    loses(hand, 1);
    Client admin = begins(hand, LOST);
    admin.finish(everyone(hand));
    if (hand.thresholds.quorum() <= hand.thresholds.servers() - 2) {
      assertThat(admin.readmitted).hasSize(1);
      isReadmitted(hand, 1);
    } else {
      assertThat(admin.failures).hasSize(1);
      assertThat(admin.failures.get(0)).hasMessageContaining("s1 lost its memory, too");
    }
  }
}
