import type { Answer, Step } from './Recording.ts';

/** A part of an answer that differs; `path` is `body.metadata.labels`. `undefined` is a part that is not there. */
export interface Difference {
  readonly path: string;
  readonly real: unknown;
  readonly ours: unknown;
}

/** The server whose answers count whole: the newest one. */
const NEWEST = '1.36';

/** Fields that newer versions add to every answer. */
const NEWER_FIELDS: readonly RegExp[] = [
  // 1.22: entries of managedFields tell the subresource.
  /\.managedFields\.\d+\.subresource$/,
  // 1.23: Services tell their families and traffic policy; the policy is a default, so who creates the Service owns it.
  /\.spec\.(internalTrafficPolicy|ipFamilies|ipFamilyPolicy)$/,
  /\.f:spec\.f:internalTrafficPolicy$/,
  // 1.21: namespaces are labelled by their name.
  /\.metadata\.labels\.kubernetes\.io\/metadata\.name$/,
  /\.f:metadata\.f:labels\.f:kubernetes\.io\/metadata\.name$/,
  // 1.27: discovery tells singular names.
  /\.resources\.[^.]*\.singularName$/,
];

/** Compares an answer with the recorded one, in the parts that count. Objects' members have no order; absent, `null`, `""`, `{}` and `[]` are five different things. */
export function compareAnswers(step: Step & { readonly answer: Answer }, answer: Answer, server: string): Difference[] {
  return differences(kept(step.answer, step.keep), kept(answer, step.keep), '', server === NEWEST);
}

function kept({ status, type, body, events, warning }: Answer, keep: Step['keep']): Record<string, unknown> {
  const answer = { status, type, body, events };
  if (keep === undefined) return answer;
  return Object.fromEntries(keep.map((path) => [path, pick({ ...answer, warning }, keysOf(path))]));
}

/** `body.resources.[name=pods]` → `body`, `resources`, `[name=pods`; the dots in brackets do not separate. */
function keysOf(path: string): string[] {
  return path.split(/\.(?![^[]*\])/).map((key) => key.replace(/\]$/, ''));
}

function pick(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const [, names = '', wanted] = /^\[([\w.]+)=(.*)$/.exec(key) ?? [];
  if (names !== '') {
    const isWanted = (item: unknown) => pick(item, names.split('.')) === wanted;
    return Array.isArray(value) ? pick(value.find(isWanted), rest) : undefined;
  }
  if (key === '*') return Object.values(members).map((each) => pick(each, rest));
  return pick(members[key.replace(/^\[/, '')], rest);
}

function differences(real: unknown, ours: unknown, path: string, newest: boolean): Difference[] {
  if (/\.columnDefinitions\.\d+\.description$/.test(path)) return [];
  if (!newest && NEWER_FIELDS.some((pattern) => pattern.test(path))) return [];
  if (isContainer(real) && isContainer(ours) && Array.isArray(real) === Array.isArray(ours)) {
    const names = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...names].flatMap((name) => differences(real[name], ours[name], `${path}.${name}`, newest));
  }
  if (isWhollyNewer(real, ours, path, newest) || isSame(real, ours, path)) return [];
  return [{ path: path.slice(1), real, ours }];
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** True for an object that only newer fields make appear. */
function isWhollyNewer(real: unknown, ours: unknown, path: string, newest: boolean): boolean {
  if (real !== undefined || !isContainer(ours) || Array.isArray(ours) || Object.keys(ours).length === 0) return false;
  return differences({}, ours, path, newest).length === 0;
}

function isSame(real: unknown, ours: unknown, path: string): boolean {
  // 1.34 leaves out a time that is zero.
  if (real === null && ours === undefined && path.endsWith('.creationTimestamp')) return true;
  return real === ours || (typeof real === 'string' && typeof ours === 'string' && saysTheSame(real, ours));
}

/** A value in a message as Go prints it. Newer versions print it as JSON. */
const GO_VALUE =
  /(?<=(?:Invalid|Unsupported|Duplicate|Forbidden)[a-z ]*: )(?:\[\])?\*?(?:map\[\w+\][\w.]+|\[\][\w.]+|[a-z]\w*\.[A-Z]\w*)(?:\{.*?\}|\(nil\))(?=: )/g;
/** Protobuf need not be served. */
const PROTOBUF = ', application/vnd.kubernetes.protobuf';
/** What a decoder says of a body that it cannot read follows these words. */
const UNREADABLE = / cannot be handled as a \w+: /;

function saysTheSame(real: string, ours: string): boolean {
  if (real.replaceAll(PROTOBUF, '') === ours.replaceAll(PROTOBUF, '')) return true;
  if (UNREADABLE.test(real) && UNREADABLE.test(ours) && !real.includes('strict decoding error'))
    return real.split(UNREADABLE)[0] === ours.split(UNREADABLE)[0];
  const around = real.split(GO_VALUE).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return around.length > 1 && new RegExp(`^${around.join('.+?')}$`, 's').test(ours);
}
