package io.testudo.node.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostCheckTest {
  private static final HostCheck LOOPBACK = HostCheck.of(at("127.0.0.1"));
  private static final HostCheck EVERYWHERE = HostCheck.of(at("0.0.0.0"));

  private static InetSocketAddress at(String address) {
    return new InetSocketAddress(InetAddresses.forString(address), 8001);
  }

  private static String head(String rest) {
    return "GET / HTTP/1.1\r\nAccept: */*\r\n" + rest + "\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Host: localhost\r\n",
        "Host: LOCALHOST:8001\r\n",
        "host:127.0.0.1:8001\r\n",
        "Host: [::1]:8001\r\n",
        "Host: 10.0.0.7\r\n"
      })
  void takesAddressesAndLocalhost(String line) {
    assertThat(LOOPBACK.allows(head(line))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: evil.example\r\n",
        "Host: localhost.evil.example:8001\r\n",
        "HOST:\tevil.example\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
        "Host: \r\n",
        "Host: a:b:c:d\r\n"
      })
  void takesNoNameThatAnotherSiteCanHave(String line) {
    assertThat(LOOPBACK.allows(head(line))).isFalse();
    assertThat(EVERYWHERE.allows(head(line))).as("others are to reach it").isTrue();
  }
}
