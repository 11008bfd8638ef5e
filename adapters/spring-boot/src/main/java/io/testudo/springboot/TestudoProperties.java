package io.testudo.springboot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says of its client.
 *
 * @param clientConf the file that 'testudo init' or 'testudo client add' has written; without it
 *     there is no client unless the application makes one
 * @param settings what counts more than the file, such as lock.max-hold; as keys of a map they are
 *     written in brackets
 * @param shutdownWait how long the end of the application waits for locks to be given back, after
 *     the web server and the schedulers have ended
 * @param healthTimeout how long a look at the servers may take
 * @param lockRegistry the LockRegistry of Spring Integration
 * @param shedlock the LockProvider of ShedLock
 */
@ConfigurationProperties("testudo")
public record TestudoProperties(
    @Nullable Path clientConf,
    @DefaultValue Map<String, String> settings,
    @DefaultValue("5s") Duration shutdownWait,
    @DefaultValue("2s") Duration healthTimeout,
    @DefaultValue Names lockRegistry,
    @DefaultValue Names shedlock) {

  /**
   * The names of an adapter's locks.
   *
   * @param prefix what they begin with
   */
  public record Names(@DefaultValue("") String prefix) {}
}
