/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardEmitterMBean;
import org.apache.cassandra.db.compaction.CompactionManager.AllSSTableOpStatus;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.StorageServiceMBean;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * What operators ask of a node by JMX, which is how nodetool does, and what Cassandra does for
 * SSTables alone. The bean of Cassandra's storage service is replaced by one of the same name that
 * calls it, and then who listens.
 */
public final class NodetoolCommands {
  private static final String BEAN = "org.apache.cassandra.db:type=StorageService";
  private static final int DONE = AllSSTableOpStatus.SUCCESSFUL.statusCode;
  private static final int STOPPED = AllSSTableOpStatus.ABORTED.statusCode;

  /** Does its part when Cassandra has done its own without an error. */
  public interface Listener {
    /**
     * Removes what is not this node's.
     *
     * @param tables empty for all
     * @return whether it came to its end; false if it was stopped
     * @throws IOException if there is no such table
     */
    boolean cleanup(String keyspace, List<String> tables) throws IOException;

    /** Builds a table's indexes anew. */
    void rebuildIndexes(String keyspace, String table, Set<String> indexes);
  }

  private NodetoolCommands() {}

  /**
   * Lets {@code listener} take part, in threads of JMX. To be called once, when the node serves.
   *
   * @throws HostException if the bean cannot be replaced; it is what it was then
   */
  public static void listen(Listener listener) {
    StorageServiceMBean bean = wrapped(StorageService.instance, listener);
    ObjectName name;
    try {
      name = new ObjectName(BEAN);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
    MBeanWrapper.instance.unregisterMBean(name);
    try {
      MBeanWrapper.instance.registerMBean(
          new StandardEmitterMBean(bean, StorageServiceMBean.class, StorageService.instance), name);
    } catch (RuntimeException e) {
      MBeanWrapper.instance.registerMBean(StorageService.instance, name);
      throw new HostException("nodetool does not reach storage engines: " + e.getMessage(), e);
    }
  }

  /** What calls {@code cassandra}, and {@code listener} after it. */
  static StorageServiceMBean wrapped(StorageServiceMBean cassandra, Listener listener) {
    return (StorageServiceMBean)
        Proxy.newProxyInstance(
            StorageServiceMBean.class.getClassLoader(),
            new Class<?>[] {StorageServiceMBean.class},
            (proxy, method, arguments) -> call(cassandra, listener, method, arguments));
  }

  private static Object call(
      StorageServiceMBean cassandra, Listener listener, Method method, Object[] arguments)
      throws Throwable {
    Object answer;
    try {
      answer = method.invoke(cassandra, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return switch (method.getName()) {
      case "forceKeyspaceCleanup" -> {
        boolean isDone =
            !answer.equals(DONE)
                || listener.cleanup(
                    (String) arguments[arguments.length - 2],
                    List.of((String[]) arguments[arguments.length - 1]));
        yield isDone ? answer : (Object) STOPPED;
      }
      case "rebuildSecondaryIndex" -> {
        listener.rebuildIndexes(
            (String) arguments[0],
            (String) arguments[1],
            Set.copyOf(Arrays.asList((String[]) arguments[2])));
        yield answer;
      }
      default -> answer;
    };
  }
}
