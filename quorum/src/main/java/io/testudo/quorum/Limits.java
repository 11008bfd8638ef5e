package io.testudo.quorum;

/** The checks that every configuration of servers passes, with the words they fail with. */
final class Limits {
  private Limits() {}

  static void checkServers(int servers) {
    if (servers < 1 || servers > ServerId.MAX_SERVERS) {
      throw new QuorumConfigurationException(
          "a cluster has 1 to " + ServerId.MAX_SERVERS + " servers, " + configured(servers));
    }
  }

  /** No faults at all is a meaningful choice: the sets then only have to meet. */
  static void checkFaults(String letter, int faults) {
    if (faults < 0 || faults > ServerId.MAX_SERVERS) {
      throw new QuorumConfigurationException(
          letter
              + " is 0 to "
              + ServerId.MAX_SERVERS
              + ", "
              + letter
              + "="
              + faults
              + " is configured");
    }
  }

  /**
   * @param where what asks for that many, such as "mode plain" or "a grid"
   */
  static void checkEnough(String letter, int faults, String where, int least, int servers) {
    if (servers < least) {
      throw new QuorumConfigurationException(
          letter
              + "="
              + faults
              + " in "
              + where
              + " needs "
              + least
              + " servers, "
              + configured(servers));
    }
  }

  static String configured(int count) {
    return count + (count == 1 ? " is" : " are") + " configured";
  }
}
