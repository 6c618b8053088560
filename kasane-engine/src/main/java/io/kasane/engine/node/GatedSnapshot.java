/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.health.ReadBulkhead;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.List;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.exceptions.QueryCancelledException;

/**
 * A snapshot that holds a pass of the {@link ReadBulkhead} from its first call until it is closed;
 * if that call fails, the pass is the caller's to close. It is taken by that call, and by none if
 * all that is wanted is asked for at once. It reports the begin and end of each call into the
 * engine, so that a call that hangs is noticed. A read that nobody wants any more ends at its next
 * call; Cassandra itself looks only when a row goes by.
 */
final class GatedSnapshot implements EngineSnapshot {
  private final ReadBulkhead.Pass pass;
  private final ReadCommand command;
  private final Runnable isWanted;
  private final EngineTable table;
  private EngineSnapshot snapshot;
  private boolean hasPass;

  /**
   * A snapshot of {@code table} that is not taken yet.
   *
   * @param command what is read for; null if that is not known
   * @param isWanted throws if nobody waits for the read any more
   */
  GatedSnapshot(EngineTable table, ReadBulkhead.Pass pass, ReadCommand command, Runnable isWanted) {
    this.pass = pass;
    this.command = command;
    this.isWanted = isWanted;
    this.table = table;
  }

  private EngineSnapshot taken() {
    if (snapshot == null) {
      snapshot = table.snapshot();
      hasPass = true;
    }
    return snapshot;
  }

  /** Takes it now. */
  GatedSnapshot take() {
    begin();
    try {
      taken();
      return this;
    } catch (EngineException e) {
      throw told(e);
    } finally {
      pass.callEnded();
    }
  }

  private List<byte[]> atOnce(List<byte[]> keys) {
    List<byte[]> values = table.getAll(keys);
    hasPass = true;
    return values;
  }

  private void begin() {
    isWanted.run();
    if (command != null && command.isAborted()) {
      throw new QueryCancelledException(command);
    }
    pass.callBegins();
  }

  /** Others need not find out. */
  private EngineException told(EngineException e) {
    pass.failed(e);
    return e;
  }

  @Override
  public byte[] get(byte[] key) {
    begin();
    try {
      return taken().get(key);
    } catch (EngineException e) {
      throw told(e);
    } finally {
      pass.callEnded();
    }
  }

  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    begin();
    try {
      return snapshot == null ? atOnce(keys) : snapshot.getAll(keys);
    } catch (EngineException e) {
      throw told(e);
    } finally {
      pass.callEnded();
    }
  }

  @Override
  public EngineCursor scan(KeyRange range, boolean reversed) {
    begin();
    try {
      return new Cursor(taken().scan(range, reversed));
    } catch (EngineException e) {
      throw told(e);
    } finally {
      pass.callEnded();
    }
  }

  @Override
  public void close() {
    if (!hasPass) {
      return;
    }
    pass.callBegins();
    try {
      if (snapshot != null) {
        snapshot.close();
      }
    } finally {
      pass.callEnded();
      pass.close();
    }
  }

  private final class Cursor implements EngineCursor {
    private final EngineCursor cursor;

    Cursor(EngineCursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean next() {
      begin();
      try {
        return cursor.next();
      } catch (EngineException e) {
        throw told(e);
      } finally {
        pass.callEnded();
      }
    }

    @Override
    public byte[] key() {
      return cursor.key();
    }

    /** May come from the disk, as {@link #next} may. */
    @Override
    public byte[] value() {
      begin();
      try {
        return cursor.value();
      } catch (EngineException e) {
        throw told(e);
      } finally {
        pass.callEnded();
      }
    }

    @Override
    public void close() {
      pass.callBegins();
      try {
        cursor.close();
      } finally {
        pass.callEnded();
      }
    }
  }
}
