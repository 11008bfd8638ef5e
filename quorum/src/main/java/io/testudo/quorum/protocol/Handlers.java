package io.testudo.quorum.protocol;

import static com.google.common.base.Preconditions.checkState;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a machine does upon each message, timer and call: one handler for each type.
 *
 * @param <P> how the machine names its peers
 */
final class Handlers<P> {
  private final Map<Class<?>, BiConsumer<P, Message>> ofMessages = new HashMap<>();
  private final Map<Class<?>, Consumer<TimerKey>> ofTimers = new HashMap<>();
  private final Map<Class<?>, BiConsumer<CallId<?>, Call<?>>> ofCalls = new HashMap<>();

  <M extends Message> void onMessage(Class<M> type, BiConsumer<P, M> handler) {
    register(ofMessages, type, (from, message) -> handler.accept(from, type.cast(message)));
  }

  <T extends TimerKey> void onTimer(Class<T> type, Consumer<T> handler) {
    register(ofTimers, type, key -> handler.accept(type.cast(key)));
  }

  <R, C extends Call<R>> void onCall(Class<C> type, BiConsumer<CallId<R>, C> handler) {
    register(
        ofCalls, type, (id, call) -> handler.accept(new CallId<>(id.number()), type.cast(call)));
  }

  private static <H> void register(Map<Class<?>, H> handlers, Class<?> type, H handler) {
    checkState(handlers.put(type, handler) == null, "%s has two handlers", type.getSimpleName());
  }

  @Nullable BiConsumer<P, Message> of(Message message) {
    return ofMessages.get(message.getClass());
  }

  @Nullable Consumer<TimerKey> of(TimerKey key) {
    return ofTimers.get(key.getClass());
  }

  @Nullable BiConsumer<CallId<?>, Call<?>> of(Call<?> call) {
    return ofCalls.get(call.getClass());
  }
}
