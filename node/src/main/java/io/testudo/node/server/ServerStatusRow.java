package io.testudo.node.server;

import com.google.common.collect.ImmutableMap;
import io.testudo.node.Version;
import io.testudo.ordering.server.ObjectUsage;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a server says of itself at its admin address. Numbers only: names of locks, objects and
 * principals are for those who have the right to read them, and here nobody is asked for a right.
 */
final class ServerStatusRow {
  private ServerStatusRow() {}

  static Map<String, Object> of(ServerNode node) {
    Set<String> stuck = node.stuck();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("kind", "server");
    status.put("cluster", node.config().cluster().name());
    status.put("server", node.self().toString());
    status.put("servers", node.config().cluster().servers());
    status.put("byzantine", node.config().cluster().byzantine());
    status.put("ready", node.isReady(stuck));
    status.put("listening", node.isListening());
    status.put("grantsLocksInMillis", node.grantsLocksIn().toMillis());
    status.put("version", Version.number());
    status.put("settings", node.config().common().print(node.config().cluster()));
    status.put("seals", node.config().common().seals().schemeName());
    status.put("incarnation", node.incarnation());
    status.put("uptimeMillis", node.uptimeNanos() / 1_000_000);
    status.put("connections", node.server().connections());
    status.put("connectionsMax", node.maxConnections());
    status.put("unreadBytes", node.server().unreadBytes());
    status.put("principals", node.rights().principals().size());
    status.put("machines", node.machines());
    status.put("brokenMachines", stuck);
    status.put("forgetfulMachines", node.forgetful());
    status.put("messages", node.server().received());
    status.put("refusals", node.server().counters().counts());
    status.put("accusers", accusers(node));
    status.put("locks", locks(node));
    status.put("objects", objects(node.objectUsage()));
    status.put("journal", journal(node.journalMeter()));
    status.put("heap", heap());
    return status;
  }

  private static Map<String, Integer> accusers(ServerNode node) {
    Map<String, Integer> named = new TreeMap<>();
    node.accusers().forEach((server, count) -> named.put(server.toString(), count));
    return named;
  }

  private static Map<String, Object> locks(ServerNode node) {
    Map<String, Object> locks = new TreeMap<>();
    node.lockUsage()
        .forEach(
            (machine, usage) ->
                locks.put(
                    machine, ImmutableMap.of("count", usage.locks(), "refused", usage.refused())));
    return locks;
  }

  private static Map<String, Long> objects(ObjectUsage usage) {
    return ImmutableMap.of(
        "count", (long) usage.objects(),
        "bytes", usage.bytes(),
        "maxBytes", usage.maxBytes(),
        "refused", usage.refused());
  }

  private static Map<String, Long> journal(JournalMeter meter) {
    return ImmutableMap.of(
        "records", meter.records(),
        "bytes", meter.bytes(),
        "snapshots", meter.snapshots(),
        "waits", meter.waits(),
        "waitMicros", meter.waitNanos() / 1_000);
  }

  static Map<String, Long> heap() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return ImmutableMap.of("usedBytes", heap.getUsed(), "maxBytes", heap.getMax());
  }
}
