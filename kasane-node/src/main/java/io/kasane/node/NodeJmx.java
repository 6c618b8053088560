/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A node's management interface: what it says of itself, and the orders nodetool would give. */
public final class NodeJmx implements AutoCloseable {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private final JMXConnector connector;
  private final MBeanServerConnection server;

  private NodeJmx(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
  }

  /** Connects to the JMX server on the loopback address. */
  public static NodeJmx connect(int port) throws IOException {
    return connect(port, Map.of());
  }

  /** The same, as a user. */
  public static NodeJmx connect(int port, String user, String password) throws IOException {
    return connect(port, Map.of(JMXConnector.CREDENTIALS, new String[] {user, password}));
  }

  // JNDI deserializes what the registry sends; here that is a node on this machine's loopback.
  @SuppressWarnings("BanJNDI")
  private static NodeJmx connect(int port, Map<String, Object> environment) throws IOException {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
    return new NodeJmx(JMXConnectorFactory.connect(url, environment));
  }

  /** Returns the node's mode: STARTING, JOINING, NORMAL, DRAINED... */
  public String operationMode() throws IOException {
    return String.valueOf(attribute(STORAGE_SERVICE, "OperationMode"));
  }

  /** Returns how many nodes of the ring this one believes alive, itself included. */
  public int liveNodes() throws IOException {
    return ((Collection<?>) attribute(STORAGE_SERVICE, "LiveNodesWithPort")).size();
  }

  /** Writes the memtables of a keyspace, or of some of its tables, to disk. */
  public void flush(String keyspace, String... tables) throws IOException {
    invoke(
        STORAGE_SERVICE,
        "forceKeyspaceFlush",
        List.of(String.class, String[].class),
        keyspace,
        tables);
  }

  /** Reads one attribute of one bean. */
  public Object attribute(String bean, String name) throws IOException {
    try {
      return server.getAttribute(new ObjectName(bean), name);
    } catch (JMException e) {
      throw failed("JMX attribute " + name + " of " + bean, e);
    }
  }

  /** Returns the names of all beans that a pattern is met by. */
  public List<String> beans(String pattern) throws IOException {
    try {
      return server.queryNames(new ObjectName(pattern), null).stream()
          .map(ObjectName::getCanonicalName)
          .sorted()
          .toList();
    } catch (JMException e) {
      throw new IOException("JMX beans " + pattern + ": " + e, e);
    }
  }

  /** Sets one attribute of one bean. */
  public void setAttribute(String bean, String name, Object value) throws IOException {
    try {
      server.setAttribute(new ObjectName(bean), new javax.management.Attribute(name, value));
    } catch (JMException e) {
      throw failed("JMX attribute " + name + " of " + bean, e);
    }
  }

  /** Calls one operation of one bean; {@code types} are its declared parameter types. */
  public Object invoke(String bean, String operation, List<Class<?>> types, Object... arguments)
      throws IOException {
    String[] signature = types.stream().map(Class::getName).toArray(String[]::new);
    try {
      return server.invoke(new ObjectName(bean), operation, arguments, signature);
    } catch (JMException e) {
      throw failed("JMX operation " + operation + " of " + bean, e);
    }
  }

  /** Of a bean that is not there: which process answered, since another one may have the port. */
  private IOException failed(String what, JMException cause) {
    String who = cause instanceof InstanceNotFoundException ? "; process " + answering() : "";
    return new IOException(what + ": " + cause + who, cause);
  }

  private String answering() {
    try {
      ObjectName runtime = new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME);
      return server.getAttribute(runtime, "Name")
          + ", up "
          + server.getAttribute(runtime, "Uptime")
          + " ms, with "
          + server.queryNames(new ObjectName("org.apache.cassandra.db:*"), null).size()
          + " beans of org.apache.cassandra.db";
    } catch (JMException | IOException e) {
      return "unknown: " + e;
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
