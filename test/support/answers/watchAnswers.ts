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
    const isStream = /^(?:1|t|true)$/i.test(searchParams.get('watch') ?? '') || pathname.includes('/watch/');
    const [end, misfitsIn] =
      isStream && response.ok ? (['\n', eventMisfits] as const) : ([undefined, textMisfits] as const);
    const judge = (text: string) => {
      for (const misfit of misfitsIn(text)) report(`${request.method} ${pathname}: ${misfit}`);
    };
    answer.response = new Response(readAlong(response.body, end, judge), response);
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

/** The same body, read no earlier than it is asked for. `judge` gets each part of it that ends with `end`, or the whole; what was cut, since the reader went away, it does not get. */
function readAlong(
  body: ReadableStream<Uint8Array>,
  end: string | undefined,
  judge: (part: string) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const { done, value } = await reader.read();
      const read = rest + decoder.decode(value, { stream: !done });
      const parts = end === undefined ? [read] : read.split(end);
      rest = parts.pop() ?? '';
      for (const part of done ? [...parts, rest] : parts) if (part !== '') judge(part);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason: unknown) {
      await reader.cancel(reason);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
