/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Holds single threads of a running node at a method, so that a test decides what happens in
 * between. Used by one thread.
 */
final class Debugger implements AutoCloseable {
  private static final int PORT = 5005;
  private static final long MOMENT_MILLIS = 50;

  private final VirtualMachine node;

  private Debugger(VirtualMachine node) {
    this.node = node;
  }

  /** The node, set to admit a debugger from this machine; not started. */
  static LocalNode admittedBy(LocalNode node) {
    String address = node.settings().address() + ":" + PORT;
    return node.with(
        settings ->
            settings.jvmFlag(
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=" + address));
  }

  static Debugger of(LocalNode running) throws IOException {
    AttachingConnector socket =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(connector -> connector.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> where = socket.defaultArguments();
    where.get("hostname").setValue(running.settings().address());
    where.get("port").setValue(Integer.toString(PORT));
    try {
      return new Debugger(socket.attach(where));
    } catch (IllegalConnectorArgumentsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Holds the first thread that enters a method from now on; others pass. */
  Stop stopAt(String className, String methodName) {
    List<Method> methods = node.classesByName(className).get(0).methodsByName(methodName);
    assertThat(methods).as("%s.%s", className, methodName).hasSize(1);
    BreakpointRequest request =
        node.eventRequestManager().createBreakpointRequest(methods.get(0).location());
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.addCountFilter(1);
    request.enable();
    return new Stop(request);
  }

  /** A place where one thread is held. */
  final class Stop {
    private final BreakpointRequest request;
    private ThreadReference held;

    private Stop(BreakpointRequest request) {
      this.request = request;
    }

    /** Whether a thread is held here; waits a moment for one. */
    boolean isReached() throws InterruptedException {
      EventSet events = node.eventQueue().remove(MOMENT_MILLIS);
      if (events != null) {
        for (Event event : events) {
          if (event instanceof BreakpointEvent stop && request.equals(event.request())) {
            held = stop.thread();
          }
        }
      }
      return held != null;
    }

    /** Lets the thread go, and all that come later. */
    void release() {
      request.disable();
      if (held != null) {
        held.resume();
      }
    }
  }

  /** Whether a thread is somewhere below a method, and in another at the moment. */
  boolean isAnyThreadIn(String className, String outerMethod, String innerMethod)
      throws IncompatibleThreadStateException {
    node.suspend();
    try {
      for (ThreadReference thread : node.allThreads()) {
        boolean outer = false;
        boolean inner = false;
        for (StackFrame frame : thread.frames()) {
          Method method = frame.location().method();
          outer |=
              method.declaringType().name().equals(className) && method.name().equals(outerMethod);
          inner |= method.name().equals(innerMethod);
        }
        if (outer && inner) {
          return true;
        }
      }
      return false;
    } finally {
      node.resume();
    }
  }

  /** Lets all threads go. */
  @Override
  public void close() {
    node.dispose();
  }
}
