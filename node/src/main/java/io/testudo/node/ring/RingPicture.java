package io.testudo.node.ring;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A ring on a few lines: each member at its place, what it has, and who waits. */
public final class RingPicture {
  private static final int WIDTH = 40;

  /** Of larger rings only those are shown that have to do with the lock. */
  private static final int ALL_UP_TO = 24;

  private RingPicture() {}

  /** The picture, line by line. */
  public static ImmutableList<String> lines(RingPlay.View view) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add(
        "  lock %s: %s; waiting: %s"
            .formatted(
                view.lock(),
                view.holder() == null ? "held by nobody" : "held by " + view.holder(),
                view.waiting().isEmpty() ? "nobody" : String.join(", ", view.waiting())));
    boolean all = view.members().size() <= ALL_UP_TO;
    for (Map.Entry<String, NodeId> member : view.members().entrySet()) {
      String what = what(member.getKey(), view);
      if (all || !what.isEmpty()) {
        lines.add(
            String.format(
                    Locale.ROOT,
                    "  %-5s %s |%s| %s",
                    member.getKey(),
                    member.getValue(),
                    place(member.getValue()),
                    what)
                .stripTrailing());
      }
    }
    return lines.build();
  }

  private static String place(NodeId id) {
    int at = (int) (((id.bits() >>> 32) * WIDTH) >>> 32);
    return ".".repeat(at) + "o" + ".".repeat(WIDTH - 1 - at);
  }

  private static String what(String member, RingPlay.View view) {
    String replicas =
        view.replicas().entrySet().stream()
            .filter(one -> one.getValue().equals(member))
            .map(one -> "replica " + (one.getKey() + 1))
            .collect(Collectors.joining(", "));
    int turn = view.waiting().indexOf(member);
    String part = member.equals(view.holder()) ? "HOLDS" : turn >= 0 ? "waits" : "";
    return part.isEmpty() || replicas.isEmpty() ? part + replicas : part + ", " + replicas;
  }
}
