import type { AcceptUpgrade } from '../request/ResourceRequest.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { AuditTrail } from './AuditTrail.ts';
import { trailOf } from './beginAudit.ts';

/** The header by which a client, or a server in front of this one, names a request in all audit logs. */
const AUDIT_ID = 'Audit-Id';

/** The id of a request: what its sender says, as it is, or a new one. */
export function auditIdOf({ headers }: Request, ids: Pick<Ids, 'uid'>): string {
  return headers.get(AUDIT_ID) || ids.uid();
}

/** Tells the client the id of its request, as Kubernetes does with and without an audit log, and writes the events of its answer. If the answer goes on, the last event is written when its body ends, or the client leaves. */
export function auditAnswer(raw: Request, auditId: string, response: Response): Response {
  response.headers.set(AUDIT_ID, auditId);
  const trail = trailOf(raw);
  if (!trail || trail.isUpgraded) return response;
  const { isAuthenticated, isLongRunning } = trail.request;
  trail.noteCode(response.status);
  if (!isAuthenticated || isLongRunning) trail.write('ResponseStarted');
  if (!isAuthenticated) return response;
  if (response.body && (isLongRunning || trail.isAnswering)) return endingWithBody(trail, response, response.body);
  trail.write('ResponseComplete');
  return response;
}

/** Writes the events of a connection that changes its protocol: its answer is the change, and its end that of the connection. */
export function auditUpgrade(trail: AuditTrail, accept: AcceptUpgrade): AcceptUpgrade {
  return (upgraded) => {
    trail.beginUpgraded();
    upgraded.stream.once('close', () => trail.write('ResponseComplete'));
    accept(upgraded);
  };
}

function endingWithBody(trail: AuditTrail, response: Response, body: ReadableStream<Uint8Array>): Response {
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await readOrPanic(trail, reader);
        if (!done) return controller.enqueue(value);
        trail.write('ResponseComplete');
        controller.close();
      },
      async cancel(reason) {
        trail.write('ResponseComplete');
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(watched, response);
}

async function readOrPanic(trail: AuditTrail, reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (error) {
    trail.panic(error);
    throw error;
  }
}
