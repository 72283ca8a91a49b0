import type { Server } from 'node:http';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import type { LogCursor } from '../../../lambdas/ports/ChangeLog.ts';
import { startApi } from '../startApi.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

test('over a real connection, a watch sends its headers at once and ends when the client disconnects', async () => {
  let hungUp: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const { registry, changeLog } = await startApi();
  const api = await startApi({
    registry,
    changeLog: {
      head: (resource) => changeLog.head(resource),
      reached: (...reached) => changeLog.reached(...reached),
      catchUp: (...list) => changeLog.catchUp(...list),
      changesSince: (...list) => changeLog.changesSince(...list),
      open: async (...open) => {
        const opened = await changeLog.open(...open);
        return opened.status === 'open' ? { status: 'open', cursor: reportingClose(opened.cursor, hungUp) } : opened;
      },
    },
  });
  server = createAdaptorServer({ fetch: api.app.fetch, overrideGlobalObjects: false }) as Server;
  const { port } = await listen(server);
  const request = get({ host: '127.0.0.1', port, path: '/api/v1/namespaces/default/configmaps?watch=true' });
  const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  expect(response.headers['transfer-encoding']).toBe('chunked');
  request.on('error', () => {});
  request.destroy();
  await ended;
});

function reportingClose(cursor: LogCursor, closed: () => void): LogCursor {
  return {
    get position() {
      return cursor.position;
    },
    next: (signal) => cursor.next(signal),
    close: () => {
      cursor.close();
      closed();
    },
  };
}

async function listen(listening: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  return listening.address() as AddressInfo;
}
