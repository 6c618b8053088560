/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import io.kasane.disk.model.DiskSpec;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Which directories lie on which disks, as a properties file:
 *
 * <pre>
 * disks=slow,fast
 * memory=100000000
 * slow.directory=/somewhere/slow
 * slow.model=hdd-7200
 * slow.capacity=500000000000
 * slow.seed=1
 * slow.faster=2
 * ...
 * </pre>
 *
 * @param disks the disks; no directory may lie in another
 * @param memoryBytes the machine's memory for files: its page cache; 0 for none
 */
public record Layout(List<Entry> disks, long memoryBytes) {
  /**
   * One disk.
   *
   * @param name its name
   * @param directory everything under it lies on this disk
   * @param model a name that {@link DiskSpec#named} knows
   * @param capacityBytes how much fits
   * @param seed decides seeks and turns
   * @param faster time-lapse: how many times as fast as the model the disk is, in everything
   */
  public record Entry(
      String name, Path directory, String model, long capacityBytes, long seed, double faster) {
    /** Checks the figures. */
    public Entry {
      directory = directory.toAbsolutePath().normalize();
      if (capacityBytes < 0) {
        throw new IllegalArgumentException(
            name + ".capacity: " + capacityBytes + " bytes; need at least 0");
      }
      if (!(faster > 0) || Double.isInfinite(faster)) {
        throw new IllegalArgumentException(name + ".faster: " + faster + "; need more than 0");
      }
    }

    /** Returns the figures of the disk, as fast as it is to be. */
    public DiskSpec spec() {
      return DiskSpec.named(model).faster(faster);
    }
  }

  /** Checks that each directory has one disk. */
  public Layout {
    disks = List.copyOf(disks);
    if (memoryBytes < 0) {
      throw new IllegalArgumentException("memory: " + memoryBytes + " bytes; need at least 0");
    }
    for (int i = 0; i < disks.size(); i++) {
      for (int j = 0; j < disks.size(); j++) {
        if (i != j && disks.get(i).directory().startsWith(disks.get(j).directory())) {
          throw new IllegalArgumentException(
              disks.get(i).name()
                  + ".directory: "
                  + disks.get(i).directory()
                  + " lies on the disk "
                  + disks.get(j).name()
                  + " too; give each disk a directory of its own");
        }
      }
    }
  }

  /** Reads a layout; its directories are paths of the file system that the file is on. */
  public static Layout read(Path file) {
    Properties values = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      values.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("disk layout " + file, e);
    }
    List<Entry> disks = new ArrayList<>();
    for (String name : value(values, file, "disks").split(",", -1)) {
      disks.add(
          new Entry(
              name,
              file.getFileSystem().getPath(value(values, file, name + ".directory")),
              value(values, file, name + ".model"),
              Long.parseLong(value(values, file, name + ".capacity")),
              Long.parseLong(value(values, file, name + ".seed")),
              Double.parseDouble(value(values, file, name + ".faster"))));
    }
    return new Layout(disks, Long.parseLong(value(values, file, "memory")));
  }

  private static String value(Properties values, Path file, String key) {
    String value = values.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("disk layout " + file + ": no '" + key + "'");
    }
    return value;
  }

  /** Writes the layout. */
  public void write(Path file) {
    Properties values = new Properties();
    values.setProperty("disks", String.join(",", disks.stream().map(Entry::name).toList()));
    values.setProperty("memory", Long.toString(memoryBytes));
    for (Entry disk : disks) {
      values.setProperty(disk.name() + ".directory", disk.directory().toString());
      values.setProperty(disk.name() + ".model", disk.model());
      values.setProperty(disk.name() + ".capacity", Long.toString(disk.capacityBytes()));
      values.setProperty(disk.name() + ".seed", Long.toString(disk.seed()));
      values.setProperty(disk.name() + ".faster", Double.toString(disk.faster()));
    }
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      values.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException("disk layout " + file, e);
    }
  }
}
