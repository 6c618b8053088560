/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.bench.load.Table;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Notes which files of the table there are when a node's turn ends. */
final class WatchedRig implements DiskRig {
  private final DiskRig rig;
  private final List<List<Path>> seen = new ArrayList<>();

  WatchedRig(DiskRig rig) {
    this.rig = rig;
  }

  /** Returns the data files of the table at the end of each turn. */
  List<List<Path>> seen() {
    return seen;
  }

  @Override
  public Turn begin(List<Placed> disks) throws IOException, InterruptedException {
    Turn turn = rig.begin(disks);
    return new Turn() {
      @Override
      public void admit(ProcessHandle node) throws IOException {
        turn.admit(node);
      }

      @Override
      public void close() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Placed disk : disks) {
          try (var all = Files.walk(disk.directory())) {
            all.filter(file -> file.toString().contains("/" + Table.NAME + "-"))
                .filter(file -> file.toString().endsWith("-Data.db"))
                .forEach(files::add);
          }
        }
        seen.add(files);
        turn.close();
      }
    };
  }

  @Override
  public String describe() {
    return rig.describe();
  }

  @Override
  public NodeRoots open(Path work) throws IOException, InterruptedException {
    return rig.open(work);
  }

  @Override
  public void attach(
      NodeSettings.Builder node, Path nodeDirectory, List<Placed> disks, Machine machine) {
    rig.attach(node, nodeDirectory, disks, machine);
  }

  @Override
  public DiskCounters counters(NodeJmx jmx, String name) throws IOException {
    return rig.counters(jmx, name);
  }

  @Override
  public void close() throws IOException {
    rig.close();
  }
}
