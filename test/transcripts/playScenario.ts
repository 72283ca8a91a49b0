import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerNormalizer } from './AnswerNormalizer.ts';
import type { Answer, Recording, Step } from './Recording.ts';

/** A server that scenarios are played against. */
export interface PlayedServer {
  /** The server of one machine, or the emulated cloud. */
  readonly composition: 'embedded' | 'emulated';
  readonly port: number;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** How much longer than the real one this server may take for what happens behind its API: a factor. */
  readonly patience: number;
  /** For how long after a change of a definition this server may still go by what was there before; milliseconds. Each pause of a scenario is longer by it. */
  readonly rememberMs: number;
}

const PATCH_TYPES = {
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** After the events that are expected, a watch is read for this long, so that others are seen. */
const MORE_EVENTS_MS = 50;

/** A server that has shown nothing of what is there after this long never will. */
const LONGEST_BEGINNING_MS = 60_000;

type PlayedStep = Step & { readonly answer?: Answer };

interface Play {
  readonly server: PlayedServer;
  readonly captured: Record<string, string>;
}

interface RawAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly warning: string | undefined;
  readonly body: unknown;
  readonly events?: unknown[];
}

/** Plays a scenario in a new namespace. Returns the answers to its steps, without what varies. */
export async function playScenario(server: PlayedServer, recording: Recording): Promise<Answer[]> {
  const ns = `tr-${Math.random().toString(36).slice(2, 8)}`;
  const normalizer = new AnswerNormalizer(ns);
  const play: Play = { server, captured: { ns, policy: 'policy/v1' } };
  if (recording.namespace !== false) normalizer.normalize(await createNamespace(play, ns));
  for (const step of recording.setup ?? []) normalizer.normalize((await perform(play, step)).body);
  const answers: Answer[] = [];
  for (const step of recording.steps) {
    if (step.pauseMs !== undefined && step.watch === undefined) await sleep(step.pauseMs + server.rememberMs);
    const { status, type, warning, body, events } = await perform(play, step);
    const normalized = {
      body: normalizer.normalize(body),
      events: events?.map((event) => normalizer.normalize(event)),
    };
    answers.push({ status, type, warning, ...normalized });
  }
  for (const step of recording.teardown ?? []) await perform(play, step);
  return answers;
}

/** Returns the namespace as it was created, so that its versions are counted from there. */
async function createNamespace(play: Play, name: string): Promise<unknown> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const created = await perform(play, { do: 'create the namespace', method: 'POST', path: '/api/v1/namespaces', body });
  const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await perform(play, { do: 'wait for its service account', path, until: { status: 200, withinMs: 3_000 } });
  return created.body;
}

/** Makes the requests of a step and keeps what later steps need. */
async function perform(play: Play, step: PlayedStep): Promise<RawAnswer> {
  const answer = step.watch ? await watch(play, step) : await requestUntil(play, step);
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    play.captured[name] = String(valueAt(answer.body, path) ?? valueAt(answer.events?.at(-1), path));
  }
  return answer;
}

async function requestUntil(play: Play, step: PlayedStep): Promise<RawAnswer> {
  const until = step.until ?? untilDeleted(step);
  const deadlineMs = Date.now() + (until?.withinMs ?? 0) * play.server.patience;
  for (;;) {
    const answer = await request(play, step);
    if (isReached(answer, until) || Date.now() > deadlineMs) return step.sorted ? withSortedItems(answer) : answer;
    await sleep(50);
  }
}

type Until = NonNullable<Step['until']> & { readonly exists?: boolean };

const DELETED = 'metadata.deletionTimestamp';

/** A read that showed an object being deleted waits for that: a controller that deletes several objects may come to this one last. */
function untilDeleted({ method = 'GET', patch, answer }: PlayedStep): Until | undefined {
  const isRead = method === 'GET' && patch === undefined;
  if (!isRead || valueAt(answer?.body, DELETED) === undefined) return undefined;
  return { path: DELETED, exists: true, withinMs: 3_000 };
}

function isReached(answer: RawAnswer, until: Until | undefined): boolean {
  if (until === undefined) return true;
  if (until.path === undefined) return answer.status === until.status;
  const value = valueAt(answer.body, until.path);
  return until.exists ? value !== undefined : JSON.stringify(value) === JSON.stringify(until.equals);
}

async function request(play: Play, step: Step): Promise<RawAnswer> {
  const { response, text } = await send(play, step);
  const type = response.headers['content-type'];
  const warning = response.headers['warning'];
  return { status: response.statusCode ?? 0, type, warning: warning?.toString(), body: parse(await text, type) };
}

/** Reads a watch until it has sent the events of the real server that count, or for as long as those took, and makes the other requests meanwhile. */
async function watch(play: Play, step: PlayedStep): Promise<RawAnswer> {
  const { forMs, meanwhile = [] } = step.watch ?? { forMs: 0 };
  const wanted = countingEvents(step);
  const chunks: string[] = [];
  const stop = new AbortController();
  let beginWith: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    beginWith = resolve;
  });
  const onChunk = (chunk: string) => {
    chunks.push(chunk);
    beginWith();
  };
  const path = meanwhile.length > 0 ? lengthened(step.path, play.server) : step.path;
  const sent = send(play, { ...step, path }, { stop: stop.signal, onChunk });
  // What happens meanwhile must not happen before the watch has begun: a watch without a version would then show only its end.
  await Promise.race([begun, sleep(beginsWithWhatIsThere(step) ? LONGEST_BEGINNING_MS : 500 * play.server.patience)]);
  for (const each of meanwhile) {
    await perform(play, each);
    await sleep(each.pauseMs ?? 30);
  }
  const { response, text } = await sent;
  const deadlineMs = Date.now() + forMs * 10 * play.server.patience;
  const ended = text.then(() => 'ended');
  while (eventsOf(chunks).length < wanted && Date.now() < deadlineMs)
    if ((await Promise.race([ended, sleep(20)])) === 'ended') break;
  await Promise.race([ended, sleep(wanted === 0 ? forMs : MORE_EVENTS_MS)]);
  stop.abort();
  const status = response.statusCode ?? 0;
  const type = response.headers['content-type'];
  if (status !== 200) return { status, type, warning: undefined, body: parse(chunks.join(''), type) };
  const events = eventsOf(chunks);
  if (!/resourceVersion=[^0&]/.test(step.path)) sortInitialEvents(events);
  return { status, type, warning: undefined, body: undefined, events };
}

/** True if the first event is certain to come: it is about what was there before. A watch of nothing has none, and a server may send the head of the answer only with the first event. */
function beginsWithWhatIsThere({ path, watch: { meanwhile = [] } = { forMs: 0 }, answer }: PlayedStep): boolean {
  const [first] = (answer?.events ?? []) as WatchEvent[];
  if (first?.type !== 'ADDED' || /resourceVersion=[^0&]/.test(path)) return false;
  return !meanwhile.some(({ body }) => valueAt(body, 'metadata.name') === nameOf(first.object));
}

/** How many of the recorded events are compared. A step that keeps `events.1` does not wait for a third, which this server may send much later. */
function countingEvents({ answer, keep = ['events'] }: PlayedStep): number {
  const all = answer?.events?.length ?? 0;
  const counts = keep.map((path) => {
    const [member, index] = path.split('.');
    if (member !== 'events') return 0;
    return /^\d+$/.test(index ?? '') ? Number(index) + 1 : all;
  });
  return Math.min(all, Math.max(0, ...counts));
}

/** A watch that ends by itself must not end before a slow server has done what happens meanwhile. */
function lengthened(path: string, { patience }: PlayedServer): string {
  return path.replace(/(?<=timeoutSeconds=)\d+/, (seconds) => String(Number(seconds) + patience));
}

interface WatchEvent {
  readonly type?: string;
  readonly object?: unknown;
}

/** The whole lines as events. How many bookmarks come in a row is a matter of time, so they count as one. */
function eventsOf(chunks: readonly string[]): WatchEvent[] {
  const lines = chunks.join('').split('\n').slice(0, -1);
  const events = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as WatchEvent);
  return events.filter(({ type }, at) => !(type === 'BOOKMARK' && events[at - 1]?.type === 'BOOKMARK'));
}

/** A watch begins with what is there, in no order. */
function sortInitialEvents(events: WatchEvent[]): void {
  const rest = events.findIndex(({ type }) => type !== 'ADDED');
  const count = rest < 0 ? events.length : rest;
  if (valueAt(events[0], 'object.columnDefinitions') !== undefined) return;
  const initial = events.slice(0, count).sort((a, b) => (nameOf(a.object) < nameOf(b.object) ? -1 : 1));
  events.splice(0, count, ...initial);
}

function withSortedItems(answer: RawAnswer): RawAnswer {
  const { items } = answer.body as { items?: unknown[] };
  items?.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return answer;
}

function nameOf(object: unknown): string {
  const name = valueAt(object, 'metadata.name');
  return typeof name === 'string' ? name : '';
}

interface Sent {
  readonly response: http.IncomingMessage;
  /** The whole body, when it has come. */
  readonly text: Promise<string>;
}

interface Reading {
  readonly stop: AbortSignal;
  readonly onChunk: (chunk: string) => void;
}

/** Sends a request; resolves with the head of the answer. */
async function send({ server, captured }: Play, step: Step, reading?: Reading): Promise<Sent> {
  const body = bodyOf(step, captured);
  const options = {
    host: '127.0.0.1',
    port: server.port,
    method: step.method ?? (step.patch ? 'PATCH' : 'GET'),
    path: fill(step.path, captured, encodeURIComponent),
    headers: headersOf(server, step, body, captured),
  };
  return new Promise((resolve, reject) => {
    const outgoing = http.request(options, (response) => {
      const chunks: string[] = [];
      response.setEncoding('utf8');
      const text = new Promise<string>((done) => {
        response.on('data', (chunk: string) => {
          chunks.push(chunk);
          reading?.onChunk(chunk);
        });
        response.on('close', () => done(chunks.join('')));
        response.on('error', () => done(chunks.join('')));
      });
      reading?.stop.addEventListener('abort', () => response.destroy());
      resolve({ response, text });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function bodyOf({ body }: Step, captured: Play['captured']): string | undefined {
  if (body === undefined) return undefined;
  const filled = fillAll(body, captured);
  return typeof filled === 'string' ? filled : JSON.stringify(filled);
}

function headersOf(
  server: PlayedServer,
  step: Step,
  body: string | undefined,
  captured: Play['captured'],
): Record<string, string> {
  const type = step.patch ? PATCH_TYPES[step.patch] : 'application/json';
  const headers = new Map<string, string | null>([
    ['user-agent', 'transcript/1.0'],
    ['accept', 'application/json'],
    ...Object.entries(server.headers),
    ...(body === undefined ? [] : ([['content-type', type]] as const)),
    ...(body === undefined ? [] : ([['content-length', String(Buffer.byteLength(body))]] as const)),
  ]);
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.set(name.toLowerCase(), value);
  const given = [...headers].filter((header): header is [string, string] => header[1] !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, fill(value, captured)]));
}

/** `<name>` becomes what was captured under that name; other text between angle brackets stays. */
function fill(text: string, captured: Play['captured'], encode = (value: string) => value): string {
  return text.replace(/<([A-Za-z0-9]+)>/g, (all, name: string) =>
    captured[name] === undefined ? all : encode(captured[name]),
  );
}

function fillAll(value: unknown, captured: Play['captured']): unknown {
  if (typeof value === 'string') return fill(value, captured);
  if (Array.isArray(value)) return value.map((each) => fillAll(each, captured));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [fill(name, captured), fillAll(each, captured)]),
  );
}

function parse(text: string, type = ''): unknown {
  if (!type.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}
