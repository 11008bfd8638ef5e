package io.testudo.node.server;

import io.testudo.mutex.dht.ring.NodeView;
import io.testudo.ordering.server.ObjectUsage;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a server counts, in the text format of Prometheus (version 0.0.4). Written by hand: a
 * library for it would double the time that a server takes to start.
 */
final class Metrics {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double NANOS_PER_SECOND = 1e9;

  private final StringBuilder text = new StringBuilder();

  private Metrics() {}

  static String of(ServerNode node) {
    Metrics metrics = new Metrics();
    metrics.server(node);
    metrics.traffic(node);
    metrics.objects(node.objectUsage());
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
    gauge("testudo_ready", "1 if the member has found its place in the ring.");
    value("testudo_ready", view.joined() ? 1 : 0);
    gauge("testudo_uptime_seconds", "Time since the start of the member.");
    seconds("testudo_uptime_seconds", member.uptimeNanos() / NANOS_PER_SECOND);
    gauge("testudo_ring_zone_share", "The part of all keys that the member answers for.");
    seconds("testudo_ring_zone_share", view.zone().share());
    gauge("testudo_ring_members_known", "Other members that it knows.");
    value("testudo_ring_members_known", view.known());
    gauge("testudo_ring_entries", "What it keeps for locks of others, as a replica or a hop.");
    value("testudo_ring_entries", view.entries());
    counter("testudo_ring_restores_total", "How often it began anew, since a message broke it.");
    value("testudo_ring_restores_total", view.restores());
    counter("testudo_refusals_total", "Connections and messages that were refused, by reason.");
    for (Map.Entry<String, Long> kind : member.node().peer().counters().counts().entrySet()) {
      value("testudo_refusals_total", "reason", kind.getKey(), kind.getValue());
    }
  }

  private void server(ServerNode node) {
    Set<String> stuck = node.stuck();
    gauge(
        "testudo_ready",
        "1 if the server takes connections, and all its machines work, remember and take part.");
    value("testudo_ready", node.isReady(stuck) ? 1 : 0);
    gauge("testudo_grants_locks_in_seconds", "Time after a start until locks are granted again.");
    seconds("testudo_grants_locks_in_seconds", node.grantsLocksIn().toNanos() / NANOS_PER_SECOND);
    gauge("testudo_uptime_seconds", "Time since the start of the server.");
    seconds("testudo_uptime_seconds", node.uptimeNanos() / NANOS_PER_SECOND);
    gauge("testudo_incarnation", "Goes up with each start of the server, and while it is asked.");
    value("testudo_incarnation", node.incarnation());
    gauge("testudo_machine_working", "1 if this machine of the server works.");
    for (String machine : node.machines()) {
      value(
          "testudo_machine_working",
          "machine",
          machine,
          stuck.contains(machine) || node.forgetful().contains(machine) ? 0 : 1);
    }
  }

  private void traffic(ServerNode node) {
    gauge("testudo_connections", "Connections of clients that have shown who they are.");
    value("testudo_connections", node.server().connections());
    gauge("testudo_unread_bytes", "Bytes of answers that wait for clients to read them.");
    value("testudo_unread_bytes", node.server().unreadBytes());
    counter("testudo_messages_total", "Messages of clients, by type.");
    for (Map.Entry<String, Long> type : node.server().received().entrySet()) {
      value("testudo_messages_total", "type", type.getKey(), type.getValue());
    }
    counter("testudo_refusals_total", "Connections and messages that were refused, by reason.");
    for (Map.Entry<String, Long> kind : node.server().counters().counts().entrySet()) {
      value("testudo_refusals_total", "reason", kind.getKey(), kind.getValue());
    }
  }

  private void objects(ObjectUsage usage) {
    gauge("testudo_objects", "Objects that are kept; one principal may make half of what is left.");
    value("testudo_objects", usage.objects());
    gauge("testudo_objects_deleted", "Deleted objects of which a tombstone is kept.");
    value("testudo_objects_deleted", usage.tombstones());
    gauge("testudo_objects_bytes", "Room that was taken for them, by whoever made them.");
    value("testudo_objects_bytes", usage.bytes());
    gauge("testudo_objects_max_bytes", "As much room there is, half of the heap.");
    value("testudo_objects_max_bytes", usage.maxBytes());
    counter("testudo_objects_refused_total", "What was not stored since its maker has its share.");
    value("testudo_objects_refused_total", usage.refused());
  }

  private void journal(JournalMeter meter) {
    counter("testudo_journal_records_total", "Records written to the journals.");
    value("testudo_journal_records_total", meter.records());
    counter("testudo_journal_bytes_total", "Bytes of these records.");
    value("testudo_journal_bytes_total", meter.bytes());
    counter("testudo_journal_snapshots_total", "Snapshots that replaced a log.");
    value("testudo_journal_snapshots_total", meter.snapshots());
    text.append("# HELP testudo_journal_wait_seconds Time that answers waited for the disk.\n");
    text.append("# TYPE testudo_journal_wait_seconds summary\n");
    seconds("testudo_journal_wait_seconds_sum", meter.waitNanos() / NANOS_PER_SECOND);
    value("testudo_journal_wait_seconds_count", meter.waits());
  }

  private void machine() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    gauge("jvm_memory_heap_used_bytes", "Heap in use.");
    value("jvm_memory_heap_used_bytes", heap.getUsed());
    gauge("jvm_memory_heap_max_bytes", "The most that the heap may have.");
    value("jvm_memory_heap_max_bytes", heap.getMax());
    gauge("jvm_threads", "Live threads.");
    value("jvm_threads", ManagementFactory.getThreadMXBean().getThreadCount());
    counter("jvm_gc_seconds_total", "Time spent in collections of garbage.");
    double millis = 0;
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      millis += Math.max(0, collector.getCollectionTime());
    }
    seconds("jvm_gc_seconds_total", millis / 1_000);
  }

  private void gauge(String name, String help) {
    head(name, help, "gauge");
  }

  private void counter(String name, String help) {
    head(name, help, "counter");
  }

  private void head(String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void value(String name, long value) {
    text.append(name).append(' ').append(value).append('\n');
  }

  private void seconds(String name, double seconds) {
    text.append(name).append(' ').append(String.format(Locale.ROOT, "%.6f", seconds)).append('\n');
  }

  /** A label's value is one of a fixed set of ours and needs no escapes. */
  private void value(String name, String label, String labelValue, long value) {
    text.append(name).append('{').append(label).append("=\"").append(labelValue).append("\"} ");
    text.append(value).append('\n');
  }
}
