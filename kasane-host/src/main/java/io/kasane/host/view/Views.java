/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.view;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/** The virtual keyspace {@value #KEYSPACE}: what Kasane shows over CQL. */
public final class Views {
  public static final String KEYSPACE = "kasane_views";

  /** Cassandra knows a virtual keyspace as a whole; each part of Kasane brings its own tables. */
  private static final Map<String, VirtualTable> registered = new LinkedHashMap<>();

  private Views() {}

  /** Makes {@code tables} visible beside those of others; one of the same name is replaced. */
  public static synchronized void register(Collection<VirtualTable> tables) {
    tables.forEach(table -> registered.put(table.name(), table));
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(KEYSPACE, List.copyOf(registered.values())));
  }

  /**
   * A virtual table whose rows are made anew for every query.
   *
   * @param cql the body of its CREATE TABLE; the partition key must be one or more text columns
   * @param partitionColumns how many columns the partition key has
   * @param fill adds the rows
   */
  public static VirtualTable table(
      String name, String comment, String cql, int partitionColumns, Consumer<SimpleDataSet> fill) {
    return table(KEYSPACE, name, comment, cql, partitionColumns, fill);
  }

  /** The same, in another virtual keyspace, which is to be registered as a whole. */
  public static VirtualTable table(
      String keyspace,
      String name,
      String comment,
      String cql,
      int partitionColumns,
      Consumer<SimpleDataSet> fill) {
    TableMetadata metadata =
        CreateTableStatement.parse("CREATE TABLE " + name + " (" + cql + ")", keyspace)
            .comment(comment)
            .kind(TableMetadata.Kind.VIRTUAL)
            .partitioner(new LocalPartitioner(partitionKeyType(partitionColumns)))
            .build();
    return new AbstractVirtualTable(metadata) {
      @Override
      public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        fill.accept(rows);
        return rows;
      }
    };
  }

  private static AbstractType<?> partitionKeyType(int columns) {
    return columns == 1
        ? UTF8Type.instance
        : CompositeType.getInstance(Collections.nCopies(columns, UTF8Type.instance));
  }
}
