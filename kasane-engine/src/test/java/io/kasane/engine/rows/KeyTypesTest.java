/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.CounterColumnType;
import org.apache.cassandra.db.marshal.DynamicCompositeType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.RandomPartitioner;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Random values of random types, most pairs of which differ in one thing: their keys are in the
 * order that Cassandra has them in, and equal where it takes them for equal. A try has 100 pairs;
 * {@code jqwik.tries.default} says how many tries.
 */
class KeyTypesTest {
  private static final int PAIRS = 100;
  private static final int DEPTH = 2;
  private static final byte[] PARTITION = {0x40, 1, 0x38};

  @BeforeContainer
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
  }

  @Property
  void clusteringsAndBoundsLieAsTheyCompare(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<AbstractType<?>> types = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      types.add(type(random));
    }
    ClusteringComparator comparator = new ClusteringComparator(types);
    for (int pair = 0; pair < PAIRS; pair++) {
      long of = random.nextLong();
      Clustering<?> one = clustering(types, Draws.of(of));
      Clustering<?> other = clustering(types, near(of, random));
      requireAlike(
          types,
          comparator.compare(one, other),
          EntryKeys.row(PARTITION, comparator, one),
          EntryKeys.row(PARTITION, comparator, other));
      for (ClusteringPrefix.Kind kind : ClusteringPrefix.Kind.values()) {
        if (kind.isBound()) {
          ByteBuffer[] values =
              Arrays.copyOf(other.getBufferArray(), random.nextInt(1, types.size() + 1));
          ClusteringBound<?> bound = ByteBufferAccessor.instance.factory().bound(kind, values);
          requireAlike(
              types,
              comparator.compare(one, bound),
              EntryKeys.row(PARTITION, comparator, one),
              EntryKeys.bound(PARTITION, comparator, bound));
        }
      }
    }
  }

  /** Partitions of tables are their bytes; those of indexes are in the order of a type. */
  @Property
  void partitionsLieAsTheyCompareAndComeBack(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AbstractType<?> type = type(random);
    List<IPartitioner> partitioners =
        List.of(
            new LocalPartitioner(type),
            Murmur3Partitioner.instance,
            RandomPartitioner.instance,
            ByteOrderedPartitioner.instance);
    for (int pair = 0; pair < PAIRS; pair++) {
      IPartitioner partitioner = partitioners.get(pair % 8 < 5 ? 0 : pair % 8 - 4);
      long of = random.nextLong();
      DecoratedKey one = partitioner.decorateKey(valid(type, Draws.of(of)));
      DecoratedKey other = partitioner.decorateKey(valid(type, near(of, random)));
      byte[] key = EntryKeys.partition(one);
      requireAlike(List.of(type), one.compareTo(other), key, EntryKeys.partition(other));
      assertThat(EntryKeys.partitionOf(EntryKeys.header(key), partitioner)).isEqualTo(one);
      assertThat(EntryKeys.partitionOf(key, partitioner).getToken()).isEqualTo(one.getToken());
      for (boolean isLeast : new boolean[] {true, false}) {
        PartitionPosition bound =
            isLeast ? other.getToken().minKeyBound() : other.getToken().maxKeyBound();
        requireAlike(List.of(type), one.compareTo(bound), key, EntryKeys.position(bound, !isLeast));
        byte[] beside = EntryKeys.position(other, isLeast);
        int order = one.compareTo(other);
        requireAlike(List.of(type), order != 0 ? order : isLeast ? 1 : -1, key, beside);
      }
    }
  }

  private static AbstractType<?> type(SplittableRandom random) {
    AbstractType<?> type = TypedValues.type(Draws.of(random.nextLong()), DEPTH);
    assertThat(KeyTypes.isExact(type)).as("%s", type).isTrue();
    return random.nextInt(3) == 0 ? ReversedType.getInstance(type) : type;
  }

  private static Draws near(long seed, SplittableRandom random) {
    return random.nextInt(8) == 0
        ? Draws.of(random.nextLong())
        : Draws.but(seed, random.nextInt(1 << random.nextInt(1, 6)));
  }

  private static Clustering<?> clustering(List<AbstractType<?>> types, Draws draws) {
    return Clustering.make(
        types.stream()
            .map(type -> draws.oneIn(20) ? null : valid(type, draws)) // compact tables have nulls
            .toArray(ByteBuffer[]::new));
  }

  private static ByteBuffer valid(AbstractType<?> type, Draws draws) {
    ByteBuffer value = TypedValues.value(type.unwrap(), draws);
    type.validate(value);
    return value;
  }

  private static void requireAlike(
      List<AbstractType<?>> types, int order, byte[] one, byte[] other) {
    boolean isAlike = Integer.signum(Arrays.compareUnsigned(one, other)) == Integer.signum(order);
    int common = Arrays.mismatch(one, other);
    boolean isPrefix = common == Math.min(one.length, other.length);
    if (!isAlike || isPrefix) { // a description for each pair would take most of the time
      assertThat(isAlike && !isPrefix)
          .as(
              "%s: compared %s, keys %s and %s",
              types,
              order,
              ByteBufferUtil.bytesToHex(ByteBuffer.wrap(one)),
              ByteBufferUtil.bytesToHex(ByteBuffer.wrap(other)))
          .isTrue();
    }
  }

  /** An index's clustering begins with the partition of its table. */
  @Example
  void partitionsAreClusteringsOfIndexes() {
    ClusteringComparator comparator =
        new ClusteringComparator(Murmur3Partitioner.partitionOrdering);
    List<Clustering<?>> keys = new ArrayList<>();
    for (String key : List.of("", "a", "b", "\0", "\0\0", "a\0", "ab")) {
      keys.add(Clustering.make(ByteBufferUtil.bytes(key)));
    }
    for (Clustering<?> one : keys) {
      for (Clustering<?> other : keys) {
        requireAlike(
            List.of(),
            comparator.compare(one, other),
            EntryKeys.row(PARTITION, comparator, one),
            EntryKeys.row(PARTITION, comparator, other));
      }
    }
  }

  @Example
  void aFieldThatWasAddedLeavesKeysAsTheyWere() {
    UserType before = TypedValues.user(List.of(Int32Type.instance, UTF8Type.instance));
    UserType after =
        TypedValues.user(List.of(Int32Type.instance, UTF8Type.instance, FloatType.instance));
    ByteBuffer one = Int32Type.instance.decompose(1);
    ByteBuffer text = ByteBufferUtil.bytes("text");
    for (ByteBuffer old : List.of(TupleType.buildValue(one, text), TupleType.buildValue(one))) {
      assertThat(key(after, old)).isEqualTo(key(before, old));
    }
    assertThat(key(after, TupleType.buildValue(one, text, null)))
        .isEqualTo(key(before, TupleType.buildValue(one, text)));
    assertThat(key(ListType.getInstance(after, false), listOf(one)))
        .isEqualTo(key(ListType.getInstance(before, false), listOf(one)));
  }

  private static ByteBuffer listOf(ByteBuffer component) {
    return ListType.getInstance(TypedValues.user(List.of(Int32Type.instance)), false)
        .decompose(List.of(TupleType.buildValue(component)));
  }

  private static byte[] key(AbstractType<?> type, ByteBuffer value) {
    return EntryKeys.row(PARTITION, new ClusteringComparator(type), Clustering.make(value));
  }

  @Example
  void otherTypesHaveNoKeys() {
    AbstractType<?> composite = CompositeType.getInstance(Int32Type.instance, UTF8Type.instance);
    for (AbstractType<?> other :
        List.of(
            composite,
            DynamicCompositeType.getInstance(Map.of()),
            CounterColumnType.instance,
            Murmur3Partitioner.partitionOrdering)) {
      assertThat(KeyTypes.isExact(other)).as("%s", other).isFalse();
    }
    assertThat(KeyTypes.isExact(ListType.getInstance(composite, false))).isFalse();
    assertThat(KeyTypes.isExact(new TupleType(List.of(Int32Type.instance, composite)))).isFalse();
    assertThat(KeyTypes.isExact(ReversedType.getInstance(composite))).isFalse();
  }
}
