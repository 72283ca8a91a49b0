import { expect } from 'vitest';
import { encodeKubernetesObject } from '../support/encodeKubernetesObject.ts';
import type { Held, RawPlace } from './rawPlaces.ts';
import { type Answer, callBy, openWatchBy, type Requests } from './startApi.ts';

/** A server under test. */
export interface RawServer {
  readonly requests: Requests;
  /** Whether no controller is going to write the object any more. */
  readonly isSettled: (object: Held) => boolean;
}

/** One value at one place of a server. */
interface RawCase {
  readonly server: RawServer;
  readonly place: RawPlace;
  readonly value: object;
}

type Call = [method: string, path: string, body?: unknown, headers?: Record<string, string>];

/** The number of the next object, so that no two attempts write the same. */
let next = 1;

/** Writes and reads the value at the place by every verb and in every form, and expects it to come back as it was given. Leaves no object behind. */
export async function tryRawPlace(server: RawServer, place: RawPlace, value: object): Promise<void> {
  for (const attempt of [tryChanges, tryApply, ...(place.hasProtobuf ? [tryProtobuf] : [])]) {
    const number = next;
    next += 1;
    await attempt({ server, place, value }, number);
    const { code } = await callBy(server.requests, 'DELETE', `${place.path}/${place.nameOf(number)}`);
    expect(code).toBeLessThan(300);
  }
}

function objectOf({ place, value }: RawCase, number: number): object {
  const { apiVersion, kind, nameOf, holding } = place;
  const held = holding(value, number) as { readonly metadata?: object };
  return { apiVersion, kind, ...held, metadata: { name: nameOf(number), ...held.metadata } };
}

/** Sends a request whose answer is to hold the value; returns the answer. */
async function answerTo({ server, place, value }: RawCase, ...request: Call): Promise<Held> {
  const { code, body }: Answer = await callBy(server.requests, ...request);
  expect(code, JSON.stringify(body)).toBeLessThan(300);
  expect(place.valueIn(body), request.slice(0, 2).join(' ')).toEqual(value);
  return body;
}

/** Creates the object, and changes something beside the value by each verb. */
async function tryChanges(raw: RawCase, number: number): Promise<void> {
  const { server, place, value } = raw;
  const { path, valueIn } = place;
  const name = place.nameOf(number);
  const at = `${path}/${name}`;
  const watch = await openWatchBy(server.requests, `${path}?watch=true&fieldSelector=metadata.name=${name}`);
  const next = async (): Promise<Held> => {
    const object = (await watch.next())?.object;
    expect(valueIn(object), 'in a watch').toEqual(value);
    return object;
  };
  await answerTo(raw, 'POST', path, objectOf(raw, number));
  let made = await next();
  while (!server.isSettled(made)) made = await next();
  await answerTo(raw, 'GET', at);
  await answerTo(raw, 'PUT', at, { ...made, metadata: { ...made.metadata, labels: { changed: 'yes' } } });
  await next();
  await watch.cancel();
  const { body: list } = await callBy(server.requests, 'GET', path);
  expect(valueIn(list.items.find((one: Held) => one.metadata.name === name)), 'in a list').toEqual(value);
  const merge = { 'content-type': 'application/merge-patch+json' };
  await answerTo(raw, 'PATCH', at, { metadata: { labels: { merged: 'yes' } } }, merge);
  const operation = { op: 'add', path: '/metadata/labels', value: { patched: 'yes' } };
  await answerTo(raw, 'PATCH', at, [operation], { 'content-type': 'application/json-patch+json' });
}

async function tryApply(raw: RawCase, number: number): Promise<void> {
  const at = `${raw.place.path}/${raw.place.nameOf(number)}?fieldManager=test`;
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  for (let times = 0; times < 2; times += 1) await answerTo(raw, 'PATCH', at, objectOf(raw, number), headers);
}

/** Creates the object by protobuf, whose raw fields are bytes of JSON. */
async function tryProtobuf(raw: RawCase, number: number): Promise<void> {
  const { path, valueIn } = raw.place;
  const body = Uint8Array.from(encodeKubernetesObject(objectOf(raw, number)));
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf', accept: 'application/json' };
  const answer = await raw.server.requests(path, { method: 'POST', headers, body });
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  expect(valueIn(JSON.parse(text))).toEqual(raw.value);
}
