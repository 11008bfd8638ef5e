package io.testudo.node.server;

import io.testudo.mutex.dht.ring.NodeView;
import io.testudo.mutex.lease.LockUsage;
import io.testudo.node.web.MetricsText;
import io.testudo.ordering.server.ObjectUsage;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;

/** What a server counts. It names no lock, object or principal: whoever reaches it may read it. */
final class Metrics {
  private static final double NANOS_PER_SECOND = 1e9;

  private final MetricsText text = new MetricsText();

  private Metrics() {}

  static String of(ServerNode node) {
    Metrics metrics = new Metrics();
    metrics.server(node);
    metrics.traffic(node);
    metrics.locks(node.lockUsage());
    metrics.objects(node.objectUsage());
    metrics.reports(node);
    metrics.journal(node.journalMeter());
    metrics.machine();
    return metrics.text.toString();
  }

  static String of(RingDaemon member) {
    Metrics metrics = new Metrics();
    metrics.member(member, member.node().view());
    metrics.machine();
    return metrics.text.toString();
  }

  private void member(RingDaemon member, NodeView view) {
    text.gauge("testudo_ready", "1 if the member has found its place in the ring.");
    text.value("testudo_ready", view.joined() ? 1 : 0);
    text.gauge("testudo_uptime_seconds", "Time since the start of the member.");
    text.number("testudo_uptime_seconds", member.uptimeNanos() / NANOS_PER_SECOND);
    text.gauge("testudo_ring_zone_share", "The part of all keys that the member answers for.");
    text.number("testudo_ring_zone_share", view.zone().share());
    text.gauge("testudo_ring_members_known", "Other members that it knows.");
    text.value("testudo_ring_members_known", view.known());
    text.gauge("testudo_ring_entries", "What it keeps for locks of others, as a replica or a hop.");
    text.value("testudo_ring_entries", view.entries());
    text.counter(
        "testudo_ring_restores_total", "How often it began anew, since a message broke it.");
    text.value("testudo_ring_restores_total", view.restores());
    text.counter(
        "testudo_refusals_total", "Connections and messages that were refused, by reason.");
    for (Map.Entry<String, Long> kind : member.node().peer().counters().counts().entrySet()) {
      text.value("testudo_refusals_total", "reason", kind.getKey(), kind.getValue());
    }
  }

  private void server(ServerNode node) {
    Set<String> stuck = node.stuck();
    text.gauge(
        "testudo_ready",
        "1 if the server takes connections, and all its machines work, remember and take part.");
    text.value("testudo_ready", node.isReady(stuck) ? 1 : 0);
    text.gauge(
        "testudo_grants_locks_in_seconds", "Time after a start until locks are granted again.");
    text.number(
        "testudo_grants_locks_in_seconds", node.grantsLocksIn().toNanos() / NANOS_PER_SECOND);
    text.gauge("testudo_uptime_seconds", "Time since the start of the server.");
    text.number("testudo_uptime_seconds", node.uptimeNanos() / NANOS_PER_SECOND);
    text.gauge(
        "testudo_incarnation", "Goes up with each start of the server, and while it is asked.");
    text.value("testudo_incarnation", node.incarnation());
    text.gauge(
        "testudo_awaits_readmission", "1 if it lost its memory, and 'testudo readmit' is needed.");
    text.value("testudo_awaits_readmission", node.forgetful().isEmpty() ? 0 : 1);
    text.gauge("testudo_machine_working", "1 if this machine of the server works.");
    for (String machine : node.machines()) {
      text.value(
          "testudo_machine_working",
          "machine",
          machine,
          stuck.contains(machine) || node.forgetful().contains(machine) ? 0 : 1);
    }
  }

  /** What a reporter may have made up; b+1 of them, or an administrator's look, say more. */
  private void reports(ServerNode node) {
    text.gauge("testudo_accusers", "Principals that say a server said what no correct one says.");
    node.accusers()
        .forEach(
            (suspect, count) ->
                text.value("testudo_accusers", "suspect", suspect.toString(), count));
  }

  private void locks(Map<String, LockUsage> usages) {
    text.gauge("testudo_locks", "Locks that are remembered, in use or not.");
    usages.forEach((name, usage) -> text.value("testudo_locks", "machine", name, usage.locks()));
    text.counter("testudo_locks_refused_total", "Requests for locks for which was no room.");
    usages.forEach(
        (name, usage) ->
            text.value("testudo_locks_refused_total", "machine", name, usage.refused()));
  }

  private void traffic(ServerNode node) {
    text.gauge("testudo_connections", "Connections of clients that have shown who they are.");
    text.value("testudo_connections", node.server().connections());
    text.gauge("testudo_connections_max", "As many connections may be.");
    text.value("testudo_connections_max", node.maxConnections());
    text.gauge("testudo_unread_bytes", "Bytes of answers that wait for clients to read them.");
    text.value("testudo_unread_bytes", node.server().unreadBytes());
    text.counter("testudo_messages_total", "Messages of clients, by type.");
    for (Map.Entry<String, Long> type : node.server().received().entrySet()) {
      text.value("testudo_messages_total", "type", type.getKey(), type.getValue());
    }
    text.counter(
        "testudo_refusals_total", "Connections and messages that were refused, by reason.");
    for (Map.Entry<String, Long> kind : node.server().counters().counts().entrySet()) {
      text.value("testudo_refusals_total", "reason", kind.getKey(), kind.getValue());
    }
  }

  private void objects(ObjectUsage usage) {
    text.gauge(
        "testudo_objects", "Objects that are kept; one principal may make half of what is left.");
    text.value("testudo_objects", usage.objects());
    text.gauge("testudo_objects_deleted", "Deleted objects of which a tombstone is kept.");
    text.value("testudo_objects_deleted", usage.tombstones());
    text.gauge("testudo_objects_bytes", "Room that was taken for them, by whoever made them.");
    text.value("testudo_objects_bytes", usage.bytes());
    text.gauge("testudo_objects_max_bytes", "As much room there is, half of the heap.");
    text.value("testudo_objects_max_bytes", usage.maxBytes());
    text.counter(
        "testudo_objects_refused_total", "What was not stored since its maker has its share.");
    text.value("testudo_objects_refused_total", usage.refused());
  }

  private void journal(JournalMeter meter) {
    text.counter("testudo_journal_records_total", "Records written to the journals.");
    text.value("testudo_journal_records_total", meter.records());
    text.counter("testudo_journal_bytes_total", "Bytes of these records.");
    text.value("testudo_journal_bytes_total", meter.bytes());
    text.counter("testudo_journal_snapshots_total", "Snapshots that replaced a log.");
    text.value("testudo_journal_snapshots_total", meter.snapshots());
    text.summary(
        "testudo_journal_wait_seconds",
        "Time that answers waited for the disk.",
        meter.waitNanos() / NANOS_PER_SECOND,
        meter.waits());
  }

  private void machine() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    text.gauge("jvm_memory_heap_used_bytes", "Heap in use.");
    text.value("jvm_memory_heap_used_bytes", heap.getUsed());
    text.gauge("jvm_memory_heap_max_bytes", "The most that the heap may have.");
    text.value("jvm_memory_heap_max_bytes", heap.getMax());
    text.gauge("jvm_threads", "Live threads.");
    text.value("jvm_threads", ManagementFactory.getThreadMXBean().getThreadCount());
    text.counter("jvm_gc_seconds_total", "Time spent in collections of garbage.");
    double millis = 0;
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      millis += Math.max(0, collector.getCollectionTime());
    }
    text.number("jvm_gc_seconds_total", millis / 1_000);
  }
}
