/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

/** Runs many schedules from the command line: first seed, how many. */
public final class CampaignMain {
  private static final long REPORT_EVERY = 50_000;

  private CampaignMain() {}

  /**
   * First seed, how many schedules, and {@code decaying}, {@code purging}, {@code clearing}, {@code
   * arenas} or {@code arenas-purging} for schedules of that kind only; or one seed, whose trace is
   * printed.
   */
  public static void main(String[] arguments) {
    long first = Long.parseLong(arguments[0]);
    if (arguments.length == 1) {
      Outcome outcome = Schedule.run(first, Scenario.everything(), true);
      outcome.trace().forEach(System.out::println);
      System.out.println(outcome.findings() + " " + outcome.fingerprint());
      return;
    }
    long count = Long.parseLong(arguments[1]);
    String kind = arguments.length > 2 ? arguments[2] : "everything";
    Campaign campaign = new Campaign(scenario(kind));
    long began = System.nanoTime();
    for (long done = 0; done < count; done += REPORT_EVERY) {
      campaign.run(first + done, Math.min(REPORT_EVERY, count - done));
      System.out.printf(
          "%.1f s: %s, fingerprint %x%n",
          (System.nanoTime() - began) / 1e9, campaign, campaign.fingerprint());
    }
    campaign
        .failed()
        .forEach(outcome -> System.out.println(outcome.seed() + ": " + outcome.findings()));
    if (!campaign.failed().isEmpty()) {
      System.out.println(campaign.firstFailure());
    }
  }

  private static Scenario scenario(String kind) {
    return switch (kind) {
      case "everything" -> Scenario.everything();
      case "decaying" -> Scenario.decaying();
      case "purging" -> Scenario.purging();
      case "clearing" -> Scenario.clearing();
      case "arenas" -> Scenario.everything().overArenas();
      case "arenas-purging" -> Scenario.purging().overArenas();
      default ->
          throw new IllegalArgumentException(
              "\""
                  + kind
                  + "\" is none of everything, decaying, purging, clearing, arenas and arenas-purging");
    };
  }
}
