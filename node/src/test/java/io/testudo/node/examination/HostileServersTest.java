package io.testudo.node.examination;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.cluster.ServerMachines;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Renew;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.Owner;
import io.testudo.mutex.sigma.Request;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaTypes;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.HostileMachine.Lie;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One of four servers lies: {@code doctor} says so, with evidence, and accuses no other. */
class HostileServersTest {
  private static final ServerId LIAR = new ServerId(3);
  private static final String BACKOFF = "lock-backoff";
  private static final String SIGMA = "lock-sigma";
  private static final String OBJECT = "object";

  @TempDir static Path temporary;
  private static final ServerLoops loops = ServerLoops.start(1);
  private static ClusterDirectory directory;
  private static LocalCluster cluster;
  private static String admin;

  @BeforeAll
  static void start() {
    directory = TestClusters.make(temporary.resolve("cluster"));
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    admin = directory.clientConfig("admin").toString();
  }

  @AfterAll
  static void end() {
    cluster.close();
    loops.close();
  }

  /** In the place of an honest one, with one machine that lies. */
  private NettyServer turn(String machine, WireTypes types, Lie lie) throws IOException {
    cluster.stop(LIAR);
    ServerConfig config = ServerConfig.read(directory.serverConfig(LIAR));
    NettyServer server =
        new NettyServer(
            loops,
            config.credentials().server(config.cluster(), LIAR),
            Gate.of(() -> config.cluster().rights()),
            config.limits(),
            ServerMachines.types(config.common()));
    StateCodec codec = new StateCodec(ServerMachines.types(config.common()));
    for (ServerMachines.NamedMachine each :
        ServerMachines.of(
            LIAR, config.cluster(), config.common(), Enrolment.FOUNDING, "1", () -> 0)) {
      server.add(
          each.name().equals(machine)
              ? () -> new HostileMachine(each.machine(), types, lie)
              : each.machine(),
          loop -> each.keeps() ? Ledger.on(new MemoryJournal(), codec) : Ledger.none(),
          event -> {},
          cause -> {});
    }
    server.bind(new InetSocketAddress(config.listen().host(), config.listen().port()));
    return server;
  }

  private OneCommand doctor() {
    return OneCommand.run("doctor", "--config", admin, "--timeout", "2s");
  }

  private static Lie forged(ForgeLock forge) {
    return HostileMachine.forging(
        heard ->
            heard instanceof Try request
                ? Optional.of(
                    forge.answer(
                        request.lock(), request.contender(), request.time(), request.number()))
                : heard instanceof Renew request
                    ? Optional.of(
                        forge.answer(
                            request.lock(), request.contender(), request.time(), request.number()))
                    : Optional.empty());
  }

  private interface ForgeLock {
    Message answer(String lock, long contender, long time, long number);
  }

  private static Lie answering(boolean yours) {
    return HostileMachine.forging(
        heard ->
            heard instanceof Request request
                ? Optional.of(
                    new Response(
                        request.lock(),
                        request.contender(),
                        request.time(),
                        yours ? new Owner(request.time(), 1, 1) : new Owner(7, 7, 7),
                        yours,
                        new GrantId(1, 1),
                        yours ? 0 : 1,
                        0,
                        request.number(),
                        yours ? request.number() : 0,
                        yours ? request.time() : 0))
                : Optional.empty());
  }

  private static Lie inventing() {
    SubmittedOperation operation =
        new SubmittedOperation(new OpId(5, 1), 0, Bytes.utf8("?"), Optional.empty());
    return HostileMachine.forging(
        heard ->
            heard instanceof Get get
                ? Optional.of(
                    new Report(
                        get.object(),
                        get.nonce(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(operation),
                        List.of()))
                : Optional.empty());
  }

  static Stream<Arguments> lies() {
    return Stream.concat(liesOfBackoff(), liesOfOthers());
  }

  private static Stream<Arguments> liesOfBackoff() {
    return Stream.of(
        Arguments.of(
            "free", BACKOFF, BackoffTypes.ALL, forged(Free::new), "to a second session while"),
        Arguments.of(
            "locked",
            BACKOFF,
            BackoffTypes.ALL,
            forged((lock, contender, time, number) -> new Locked(time, number, 5, SealedRank.NONE)),
            "answered LOCKED to the first request for the lock"),
        Arguments.of(
            "stale",
            BACKOFF,
            BackoffTypes.ALL,
            forged(
                (lock, contender, time, number) ->
                    new Stale(time, number, SealedRank.unsealed(time + 1))),
            "answered STALE with the last rank "),
        Arguments.of(
            "stale to those who try only",
            BACKOFF,
            BackoffTypes.ALL,
            HostileMachine.forging(
                heard ->
                    heard instanceof Try request
                        ? Optional.of(
                            new Stale(
                                request.time(),
                                request.number(),
                                SealedRank.unsealed(request.time() + 1)))
                        : Optional.empty()),
            "called a rank of the lock"),
        Arguments.of(
            "split",
            BACKOFF,
            BackoffTypes.ALL,
            HostileMachine.splitting(),
            "to a second session while the lease of the first ran"),
        Arguments.of(
            "replay",
            BACKOFF,
            BackoffTypes.ALL,
            HostileMachine.replaying(),
            "for which there was no question, the first one Free"),
        Arguments.of(
            "flood",
            BACKOFF,
            BackoffTypes.ALL,
            HostileMachine.flooding(),
            "for which there was no question, the first one Free"));
  }

  private static Stream<Arguments> liesOfOthers() {
    return Stream.of(
        Arguments.of(
            "sigma grants to all",
            SIGMA,
            SigmaTypes.ALL,
            answering(true),
            "to a second session while the lease of the first ran"),
        Arguments.of(
            "sigma names an owner",
            SIGMA,
            SigmaTypes.ALL,
            answering(false),
            "and named an owner that is none, though nobody else was told that name"),
        Arguments.of(
            "sigma replay",
            SIGMA,
            SigmaTypes.ALL,
            HostileMachine.replaying(),
            "for which there was no question, the first one Response"),
        Arguments.of(
            "sigma flood",
            SIGMA,
            SigmaTypes.ALL,
            HostileMachine.flooding(),
            "for which there was no question, the first one Response"),
        Arguments.of(
            "object invents operations",
            OBJECT,
            OrderingTypes.ALL,
            inventing(),
            "shows pending operations of the object"),
        Arguments.of(
            "object replay",
            OBJECT,
            OrderingTypes.ALL,
            HostileMachine.replaying(),
            "for which there was no question, the first one "),
        Arguments.of(
            "object flood",
            OBJECT,
            OrderingTypes.ALL,
            HostileMachine.flooding(),
            "for which there was no question, the first one Report"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("lies")
  void areNamedWithEvidence(String name, String machine, WireTypes types, Lie lie, String evidence)
      throws IOException {
    try (NettyServer liar = turn(machine, types, lie)) {
      assertThat(liar.connections()).isZero();
      assertThat(OneCommand.run("clear", "s3", "--config", admin).code()).isZero();
      OneCommand doctor = doctor();
      assertThat(doctor.code()).isEqualTo(ExitCode.FAILED);
      assertThat(doctor.out())
          .containsPattern(
              "fail  conduct   s3: [^\n]*" + evidence + "[^\n]*no correct server does so");
      assertNobodyElseIsAccused(doctor);
      // Who has seen it believes it.
      assertThat(OneCommand.run("status", "--config", admin).out())
          .contains("said what no correct server says", "s3 counts as failing; 0 more may fail");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pending")
  void areToldApartFromThoseThatDoNotAnswer(String machine, WireTypes types) throws IOException {
    try (NettyServer liar = turn(machine, types, HostileMachine.pending())) {
      assertThat(liar.connections()).isZero();
      OneCommand doctor = doctor();
      assertThat(doctor.code()).isEqualTo(ExitCode.FAILED);
      assertThat(doctor.out())
          .containsPattern(
              "fail  conduct   s3: did not answer in time .*, though it answers other questions")
          .doesNotContain("no correct server does so");
      assertNobodyElseIsAccused(doctor);
    }
  }

  static Stream<Arguments> pending() {
    return Stream.of(
        Arguments.of(BACKOFF, BackoffTypes.ALL),
        Arguments.of(SIGMA, SigmaTypes.ALL),
        Arguments.of(OBJECT, OrderingTypes.ALL));
  }

  private static void assertNobodyElseIsAccused(OneCommand doctor) {
    assertThat(doctor.lines())
        .filteredOn(line -> line.contains("conduct") && !line.contains("s3:"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("ok"));
  }
}
