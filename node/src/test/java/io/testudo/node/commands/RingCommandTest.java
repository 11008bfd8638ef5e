package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.OneCommand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RingCommandTest {
  @Test
  void aRingLosesMembersWhileALockIsHeldAndHolds() {
    OneCommand run = OneCommand.run("ring", "--nodes", "10", "--json");
    List<JsonObject> rows =
        run.out().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    JsonObject verdict = rows.get(rows.size() - 1);
    assertThat(verdict.get("problems").getAsJsonArray()).isEmpty();
    assertThat(verdict.get("verdict").getAsString()).isEqualTo("holds");
    assertThat(run.code()).isZero();
    assertThat(
            rows.stream()
                .limit(rows.size() - 1L)
                .map(row -> row.get("event").getAsString())
                .distinct())
        .containsExactly(
            "formed",
            "contend",
            "holds",
            "killed-holding",
            "joined",
            "taken-over",
            "killed-waiting",
            "goes-on");
  }

  @Test
  void refusesWhatIsNoRing() {
    assertThat(OneCommand.run("ring", "--nodes", "3").err()).contains("--nodes must be from 8");
    assertThat(OneCommand.run("ring", "--backend", "backoff").err())
        .contains("sigma-dht, e2e, non-e2e, zone");
    assertThat(OneCommand.run("ring", "--routing", "kademlia").err()).contains("prefix or ring");
  }
}
