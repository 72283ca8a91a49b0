// Slow: it writes and reads a dozen kinds of objects in every form and, under `npm run test:cloud`, waits until each function knows a new definition.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFINITIONS, definition, type Held, RAW_PLACES, type RawPlace, THINGS } from '../rest/rawPlaces.ts';
import { anyRawValue } from '../rest/rawPlaces.ts';
import { callBy, openWatchBy } from '../rest/startApi.ts';
import { type RawServer, tryRawPlace } from '../rest/tryRawPlace.ts';
import * as fc from '../support/seededFastCheck.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { sharedServer } from '../support/sharedServer.ts';
import { type ReceivedReview, WebhookServer } from '../support/WebhookServer.ts';
import { isCloud, outdatedReadsForgotten, SERVER_ARGUMENTS } from './serverArguments.ts';

let process: ServerProcess;
let webhook: WebhookServer;
let server: RawServer;

const ANY_SPEC = {
  type: 'object',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};

/** Of custom objects that are stored in v1, and that a webhook converts to v2 and back. */
function convertedThings() {
  const things = definition('converted', ANY_SPEC);
  const [v1] = things.spec.versions;
  const versions = [v1, { ...v1, name: 'v2', storage: false }];
  const clientConfig = webhook.clientConfig('/convert');
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  return { ...things, spec: { ...things.spec, versions, conversion } };
}

/** Says only of the version that it is another. */
function convert({ request }: ReceivedReview) {
  const { objects, desiredAPIVersion } = request as { objects: object[]; desiredAPIVersion: string };
  const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
  return { result: { status: 'Success' }, convertedObjects };
}

const CONVERTED: RawPlace = {
  apiVersion: 'example.com/v2',
  kind: 'converted',
  path: '/apis/example.com/v2/namespaces/default/converted',
  nameOf: (number) => `raw-${number}`,
  holding: (spec) => ({ spec }),
  valueIn: ({ spec }) => spec,
  hasProtobuf: false,
};

const PLACES = { ...RAW_PLACES, 'a custom object that a webhook converts': CONVERTED };

function isEstablished({ kind, status }: Held): boolean {
  if (kind !== 'CustomResourceDefinition') return true;
  return status?.conditions?.some((one: Held) => one.type === 'Established' && one.status === 'True') === true;
}

/** Creates a definition; resolves when it is established. */
async function define(made: { readonly metadata: { readonly name: string } }): Promise<void> {
  const { name } = made.metadata;
  const watch = await openWatchBy(server.requests, `${DEFINITIONS}?watch=true&fieldSelector=metadata.name=${name}`);
  const { code, body } = await callBy(server.requests, 'POST', DEFINITIONS, made);
  expect(code, JSON.stringify(body)).toBe(201);
  while (!isEstablished((await watch.next())?.object));
  await watch.cancel();
}

beforeAll(async () => {
  webhook = await WebhookServer.start();
  webhook.on('/convert', convert);
  process = await (isCloud ? sharedServer(SERVER_ARGUMENTS) : ServerProcess.start(SERVER_ARGUMENTS));
  const token = isCloud ? readFileSync(join(process.dataDir, 'token'), 'utf8') : undefined;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const requests: RawServer['requests'] = (path, { headers, ...init }) =>
    fetch(process.baseUrl + path, { ...init, headers: { ...(headers as Record<string, string>), ...authorization } });
  server = { requests, isSettled: isEstablished };
  await define(THINGS);
  await define(convertedThings());
  await outdatedReadsForgotten();
}, 300_000);

afterAll(async () => {
  for (const { metadata } of [THINGS, definition('converted', {})])
    await callBy(server.requests, 'DELETE', `${DEFINITIONS}/${metadata.name}`);
  await webhook.stop();
  if (!isCloud) await process.dispose();
});

describe(`a server${isCloud ? ' in the emulated cloud' : ''}`, () => {
  it.each(Object.entries(PLACES))(
    'gives %s back as it was given',
    async (_, place) => {
      await fc.assert(
        fc.asyncProperty(anyRawValue, (value) => tryRawPlace(server, place, value)),
        { numRuns: 2 },
      );
    },
    180_000,
  );

  it('has asked the webhook about what it stored, and about what it showed', () => {
    const asked = webhook.reviewsOf('/convert').map(({ request }) => request.desiredAPIVersion as string);
    expect(new Set(asked)).toEqual(new Set(['example.com/v1', 'example.com/v2']));
  });
});
