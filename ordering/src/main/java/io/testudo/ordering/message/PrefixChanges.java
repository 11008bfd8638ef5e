package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.Message;
import java.util.List;

/**
 * Server to client: these objects have changed here, deleted ones among them, as they are now. No
 * more than a hint: it counts when enough servers say the same.
 *
 * @param upTo what to ask for next is behind this
 * @param hasGap whether there may have been others that are forgotten: then a list tells
 */
public record PrefixChanges(String prefix, long upTo, boolean hasGap, List<ObjectList.Item> objects)
    implements Message {
  public PrefixChanges {
    ObjectList.checkName(prefix);
    objects = List.copyOf(objects);
    checkArgument(
        objects.size() <= ObjectList.MAX_OBJECTS,
        "an answer has at most %s objects",
        ObjectList.MAX_OBJECTS);
  }
}
