import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ANSWER_CHANNEL, type LeavingAnswer } from '../../../lambdas/rest/response/answerChannel.ts';
import { misfitsOf } from './misfits.ts';

const EVENTS: readonly unknown[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];

/**
 * Reads along every JSON that the API of this process answers. `report` gets each difference from the published types, as `GET /api/v1/pods: …`. Returns what stops it. What a proxy passes on and what
 * a log says is somebody else's.
 */
export function watchAnswers(report: (misfit: string) => void): () => void {
  const onAnswer = (message: unknown) => {
    const answer = message as LeavingAnswer;
    const { request, response } = answer;
    const { pathname, searchParams } = new URL(request.url);
    if (response.body === null || !isOurs(pathname) || !isJson(response)) return;
    const isStream = ['1', 'true'].includes(searchParams.get('watch') ?? '') || pathname.includes('/watch/');
    const judge = (text: string) => {
      for (const misfit of isStream && response.ok ? eventMisfits(text) : textMisfits(text))
        report(`${request.method} ${pathname}: ${misfit}`);
    };
    answer.response = new Response(readAlong(response.body, judge), response);
  };
  subscribe(ANSWER_CHANNEL, onAnswer);
  return () => void unsubscribe(ANSWER_CHANNEL, onAnswer);
}

function isOurs(pathname: string): boolean {
  return /^\/(?:k8s\/)?apis?\//.test(pathname) && !/\/(?:proxy|log)(?:\/|$)/.test(pathname);
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true && !headers.has('content-encoding');
}

function eventMisfits(line: string): string[] {
  const { type, object } = JSON.parse(line) as { readonly type: unknown; readonly object: unknown };
  if (!EVENTS.includes(type)) return [`an event of a watch is of the type ${String(type)}`];
  // A bookmark has nothing but its version.
  return type === 'BOOKMARK' ? [] : misfitsOf(object);
}

function textMisfits(text: string): string[] {
  try {
    return misfitsOf(JSON.parse(text));
  } catch (error) {
    return [`the body is no JSON: ${String(error)}`];
  }
}

/** The same body, read no earlier than it is asked for. `judge` gets each of its lines; a last one that was cut, since the reader went away, it does not get. */
function readAlong(body: ReadableStream<Uint8Array>, judge: (line: string) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of done ? [...lines, rest] : lines) if (line !== '') judge(line);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason: unknown) {
      await reader.cancel(reason);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
