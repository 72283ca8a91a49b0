import { createHash } from 'node:crypto';
import type { ResourceEntry } from '../../../registry/ResourceEntry.ts';
import { GROUP_PACKAGES, kindSchema } from '../kindSchema.ts';
import { type Schema, schemaOf } from '../schemaOf.ts';
import type { TypeDocs } from '../TypeDocs.ts';
import {
  componentOf,
  type Dialect,
  type Json,
  listComponentOf,
  SCALAR_COMPONENTS,
  componentName,
  listNameOf,
} from './componentOf.ts';
import { encodeDocumentV2 } from './encodeDocumentV2.ts';
import { resourcePaths, type ServedResource } from './resourcePaths.ts';

export interface OpenApiDocument<Body extends string | Uint8Array<ArrayBuffer> = string> {
  /** A string is JSON; bytes are protobuf. */
  readonly body: Body;
  /** SHA-512 of the body, in upper-case hexadecimal digits. */
  readonly hash: string;
}

/** Descriptions of the served API for clients. Each is built when it is first requested, and kept. */
export interface OpenApi {
  /** `/openapi/v3`: the address of each group version's document. An address changes with its document, so clients may cache the documents for ever. */
  index(): Promise<OpenApiDocument>;
  /** `/openapi/v3/<root>` for `api/v1`, `apis/apps/v1`, …; `undefined` for a root that is not served. */
  groupVersion(root: string): Promise<OpenApiDocument | undefined>;
  /** `/openapi/v2`: everything in one document. */
  v2(): Promise<OpenApiDocument>;
  /** The types of the `/openapi/v2` document, in protobuf. */
  v2Protobuf(): Promise<OpenApiDocument<Uint8Array<ArrayBuffer>>>;
}

/** Describes these resources like Kubernetes' own OpenAPI documents. The methods reject if an entry's kind has no schema. */
export function createOpenApi(entries: readonly ResourceEntry[], gitVersion: string): OpenApi {
  const info = { title: 'Kubernetes', version: gitVersion };
  const documents = new Map<string, Promise<OpenApiDocument>>();
  const once = (key: string, build: () => Promise<Json>) => {
    const known = documents.get(key) ?? build().then((document) => seal(JSON.stringify(document)));
    documents.set(key, known);
    return known;
  };
  const v2 = () => once('v2', async () => documentV2(served(entries), await loadDocs(), info));
  let v2Protobuf: Promise<OpenApiDocument<Uint8Array<ArrayBuffer>>> | undefined;
  const roots = new Set(
    entries.flatMap((entry) => entry.versions.map((version) => rootOf(version.group ?? entry.group, version.version))),
  );
  const groupVersion = async (root: string) => {
    if (!roots.has(root)) return undefined;
    return once(root, async () =>
      documentV3(
        served(entries).filter((resource) => resource.root === root),
        await loadDocs(),
        info,
      ),
    );
  };
  return {
    groupVersion,
    index: () =>
      once('index', async () => {
        const addresses = await Promise.all(
          [...roots].sort().map(async (root) => [root, await groupVersion(root)] as const),
        );
        return {
          paths: Object.fromEntries(
            addresses.map(([root, document]) => [
              root,
              { serverRelativeURL: `/openapi/v3/${root}?hash=${document?.hash}` },
            ]),
          ),
        };
      }),
    v2,
    v2Protobuf: () => (v2Protobuf ??= v2().then(({ body }) => seal(encodeDocumentV2(JSON.parse(body) as Json)))),
  };
}

function seal<Body extends string | Uint8Array<ArrayBuffer>>(body: Body): OpenApiDocument<Body> {
  return { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase() };
}

/** Loads the descriptions on first use: most processes never need them. */
async function loadDocs(): Promise<Readonly<Record<string, TypeDocs>>> {
  const { typeDocs } = await import('../generated/typeDocs.ts');
  return typeDocs;
}

function rootOf(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function served(entries: readonly ResourceEntry[]): ServedResource[] {
  return entries.flatMap((entry) =>
    entry.versions.map((version) => {
      const group = version.group ?? entry.group;
      const schema = requireSchema(group, version.version, entry.kind);
      return {
        entry,
        version,
        root: rootOf(group, version.version),
        schema,
        scale: scaleOf(entry, group, version.version),
      };
    }),
  );
}

/** The type of a resource's Scale. Old API groups have their own. */
function scaleOf(entry: ResourceEntry, group: string, version: string): Schema | undefined {
  if (entry.scale === undefined) return undefined;
  const own =
    group !== '' && GROUP_PACKAGES[group] !== undefined ? kindSchema(`${group}/${version}`, 'Scale') : undefined;
  return own ?? schemaOf('autoscaling.v1.Scale');
}

function requireSchema(group: string, version: string, kind: string): Schema {
  const schema = kindSchema(group === '' ? version : `${group}/${version}`, kind);
  if (schema === undefined) throw new Error(`no API type for ${kind} in ${group}/${version}`);
  return schema;
}

function documentV3(resources: readonly ServedResource[], docs: Readonly<Record<string, TypeDocs>>, info: Json): Json {
  return {
    openapi: '3.0.0',
    info,
    paths: pathsOf(resources, 3),
    components: { schemas: componentsOf(resources, docs, 3) },
  };
}

function documentV2(resources: readonly ServedResource[], docs: Readonly<Record<string, TypeDocs>>, info: Json): Json {
  return { swagger: '2.0', info, paths: pathsOf(resources, 2), definitions: componentsOf(resources, docs, 2) };
}

function pathsOf(resources: readonly ServedResource[], dialect: Dialect): Json {
  return Object.assign({}, ...resources.map((resource) => resourcePaths(resource, dialect))) as Json;
}

function componentsOf(
  resources: readonly ServedResource[],
  docs: Readonly<Record<string, TypeDocs>>,
  dialect: Dialect,
): Json {
  const components = new Map<string, Json>();
  const visit = (schema: Schema) => {
    const name = componentName(schema);
    if (components.has(name)) return;
    components.set(name, componentOf(schema, docs, dialect));
    for (const { of } of schema.fields.values()) if (typeof of !== 'string') visit(of);
  };
  for (const name of ['DeleteOptions', 'ListMeta', 'Status']) visit(schemaOf(`meta.v1.${name}`));
  for (const { schema, scale, entry } of resources) {
    visit(schema);
    if (scale !== undefined) visit(scale);
    if (entry.verbs.includes('list'))
      components.set(listNameOf(componentName(schema)), listComponentOf(schema, dialect));
  }
  for (const scalar of Object.values(SCALAR_COMPONENTS))
    components.set(scalar.name, dialect === 2 ? scalar.v2 : scalar.v3);
  components.set('io.k8s.apimachinery.pkg.apis.meta.v1.Patch', { type: 'object' });
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
}
