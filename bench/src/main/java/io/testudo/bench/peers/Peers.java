package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.bench.driver.BftSmartDriver;
import io.testudo.bench.peers.Peer.Ability;
import io.testudo.bench.peers.Peer.Driver;
import io.testudo.bench.peers.Peer.Durability;
import io.testudo.bench.peers.own.TestudoDriver;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The systems that are measured beside each other. */
final class Peers {
  /** The one that ratios are to. */
  static final String TESTUDO = "testudo";

  static final String BFT_SMART = "bft-smart";

  private static final String ONE_CRASH = "1 crash";
  private static final ImmutableSet<Ability> ALL = ImmutableSet.copyOf(Ability.values());

  private static final ImmutableSet<Ability> BLOCKING_LOCKS =
      ImmutableSet.of(Ability.LOCK_BLOCKING, Ability.SEPARATE_CLIENTS);

  private static final ImmutableSet<Ability> COUNTERS =
      ImmutableSet.of(
          Ability.INCREMENT_BLOCKING, Ability.INCREMENT_ASYNC, Ability.SEPARATE_CLIENTS);

  static final ImmutableList<Peer> STANDARD =
      ImmutableList.of(
          testudo(TESTUDO, Durability.SYNCED),
          testudo("testudo-memory", Durability.MEMORY, TestudoDriver.MEMORY),
          new Peer(
              "zookeeper",
              "Apache ZooKeeper, by Curator's InterProcessMutex and DistributedAtomicLong",
              3,
              Durability.SYNCED,
              "ordered by a leader, on a majority",
              ONE_CRASH,
              ImmutableSet.of(
                  Ability.LOCK_BLOCKING, Ability.INCREMENT_BLOCKING, Ability.SEPARATE_CLIENTS),
              library("zookeeper", "zookeeper.ZooKeeperDriver")),
          new Peer(
              "hazelcast",
              "Hazelcast CP subsystem: FencedLock and IAtomicLong",
              3,
              Durability.MEMORY,
              "Raft",
              ONE_CRASH,
              ImmutableSet.of(
                  Ability.LOCK_BLOCKING,
                  Ability.INCREMENT_BLOCKING,
                  Ability.INCREMENT_ASYNC,
                  Ability.SEPARATE_CLIENTS),
              library("hazelcast", "hazelcast.HazelcastDriver")),
          new Peer(
              "jgroups-raft",
              "jgroups-raft: its replicated counter; callers are at a member",
              3,
              Durability.FILES,
              "Raft",
              ONE_CRASH,
              ImmutableSet.of(Ability.INCREMENT_BLOCKING, Ability.INCREMENT_ASYNC),
              library("jgroups-raft", "jgroups.JGroupsRaftDriver")),
          new Peer(
              "ratis",
              "Apache Ratis: a counter as its state machine",
              3,
              Durability.SYNCED,
              "Raft",
              ONE_CRASH,
              COUNTERS,
              library("ratis", "ratis.RatisDriver")),
          new Peer(
              "redis",
              "one Redis, by Redisson's RLock and RAtomicLong",
              1,
              Durability.MEMORY,
              "none",
              "none",
              ALL,
              redis("one")),
          new Peer(
              "redlock",
              "Redisson's RedLock over five Redis",
              5,
              Durability.MEMORY,
              "a majority of independent servers",
              "2 crashes, while clocks agree",
              BLOCKING_LOCKS,
              redis("five")),
          new Peer(
              "etcd",
              "etcd, by jetcd's lock, and a transaction that compares and sets",
              3,
              Durability.SYNCED,
              "Raft",
              ONE_CRASH,
              ALL,
              new Driver(
                  "io.testudo.peers.etcd.EtcdDriver",
                  ImmutableList.of(),
                  artifact("etcd"),
                  "etcd",
                  "etcd-server")));

  private Peers() {}

  private static Peer testudo(String name, Durability durability, String... arguments) {
    return new Peer(
        name,
        "Testudo as 'testudo init' deploys it"
            + (durability == Durability.SYNCED ? "" : ", but for servers that keep all in memory"),
        4,
        durability,
        "Byzantine quorums, HMAC",
        "1 liar",
        ALL,
        new Driver(
            TestudoDriver.class.getName(), ImmutableList.copyOf(arguments), null, null, null));
  }

  private static Driver library(String library, String main) {
    return new Driver(
        "io.testudo.peers." + main, ImmutableList.of(), artifact(library), null, null);
  }

  private static Driver redis(String servers) {
    return new Driver(
        "io.testudo.peers.redis.RedisDriver",
        ImmutableList.of(servers),
        artifact("redis"),
        "redis-server",
        "redis-server");
  }

  /** The Maven artifact of a driver, which names the directory of its libraries, too. */
  private static String artifact(String library) {
    return "testudo-peers-" + library;
  }

  /** BFT-SMaRt as somebody has built it, with jars in {@code lib}. */
  static Peer bftSmart(Path build) {
    return new Peer(
        BFT_SMART,
        "BFT-SMaRt's counter demo",
        4,
        Durability.MEMORY,
        "total order by a leader that may lie, authenticated as configured",
        "1 liar",
        ImmutableSet.of(Ability.INCREMENT_BLOCKING, Ability.SEPARATE_CLIENTS),
        new Driver(
            BftSmartDriver.class.getName(),
            ImmutableList.of(build.toString()),
            build.resolve("lib").toString(),
            null,
            null));
  }

  static @Nullable Peer named(ImmutableList<Peer> all, String name) {
    return all.stream().filter(peer -> peer.name().equals(name)).findFirst().orElse(null);
  }
}
