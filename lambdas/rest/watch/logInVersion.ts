import type { Change, ChangeLog, LogCursor } from '../../ports/ChangeLog.ts';
import type { ToVersion } from '../../registry/customresources/conversion/storeInVersion.ts';

/** The log of one custom resource, whose changes show their objects in another version than the stored one. Its methods also throw what `toVersion` throws. */
export function logInVersion(log: ChangeLog, toVersion: ToVersion): ChangeLog {
  const converted = async (changes: readonly Change[]) => await convertChanges(changes, toVersion);
  return {
    ...(log.isNeverBehind && { isNeverBehind: log.isNeverBehind }),
    head: (resource) => log.head(resource),
    reached: (resource, version, signal) => log.reached(resource, version, signal),
    async catchUp(...asked) {
      const end = await log.catchUp(...asked);
      return end === 'expired' ? end : { ...end, changes: await converted(end.changes) };
    },
    async changesSince(...asked) {
      const changes = await log.changesSince(...asked);
      return changes === 'expired' ? changes : await converted(changes);
    },
    async open(...asked) {
      const opened = await log.open(...asked);
      return opened.status === 'open' ? { ...opened, cursor: cursorInVersion(opened.cursor, converted) } : opened;
    },
  };
}

function cursorInVersion(
  cursor: LogCursor,
  converted: (changes: readonly Change[]) => Promise<readonly Change[]>,
): LogCursor {
  return {
    get position() {
      return cursor.position;
    },
    async next(signal) {
      const changes = await cursor.next(signal);
      return changes === 'expired' ? changes : await converted(changes);
    },
    close: () => cursor.close(),
  };
}

async function convertChanges(changes: readonly Change[], toVersion: ToVersion): Promise<readonly Change[]> {
  const objects = changes.flatMap(({ before, after }) => [before, after]).filter((object) => object !== undefined);
  const shown = (await toVersion(objects)).values();
  return changes.map((change): Change => {
    const before = change.before && shown.next().value;
    const after = change.after && shown.next().value;
    return { ...change, ...(before && { before }), ...(after && { after }) } as Change;
  });
}
