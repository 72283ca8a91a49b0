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
  gvkOf,
  listNameOf,
} from './componentOf.ts';
import { encodeDocumentV2 } from './encodeDocumentV2.ts';
import { customComponent, customListComponent } from './publishSchema.ts';
import { actionType, type PublishedResource, type PublishedType, resourcePaths } from './resourcePaths.ts';

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

/**
 * Describes these resources like Kubernetes' own OpenAPI documents. Documents of groups that `base` has are taken from there. The methods reject if a built-in entry's kind has no schema.
 */
export function createOpenApi(entries: readonly ResourceEntry[], gitVersion: string, base?: OpenApi): OpenApi {
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
    const known = await base?.groupVersion(root);
    if (known) return known;
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

interface DescribedResource extends PublishedResource {
  /** Absent for a custom resource. */
  readonly schema: Schema | undefined;
  readonly scaleSchema: Schema | undefined;
}

function served(entries: readonly ResourceEntry[]): DescribedResource[] {
  return entries.flatMap((entry) =>
    entry.versions.map((version): DescribedResource => {
      const group = version.group ?? entry.group;
      const schema = entry.custom ? undefined : requireSchema(entry, group, version.version);
      const scaleSchema = scaleOf(entry, group, version.version);
      return {
        entry,
        version,
        root: rootOf(group, version.version),
        type: schema ? typeOf(schema) : customType(entry, version.version),
        scale: scaleSchema && typeOf(scaleSchema),
        schema,
        scaleSchema,
      };
    }),
  );
}

function typeOf(schema: Schema): PublishedType {
  const component = componentName(schema);
  return { component, listComponent: listNameOf(component), gvk: gvkOf(schema) };
}

/** A custom kind's component is named by its group in reverse: `com.example.v1.Widget`. */
function customType({ group, kind, custom }: ResourceEntry, version: string): PublishedType {
  const prefix = `${group.split('.').toReversed().join('.')}.${version}`;
  return {
    component: `${prefix}.${kind}`,
    listComponent: `${prefix}.${custom?.listKind ?? listNameOf(kind)}`,
    gvk: { group, version, kind },
  };
}

/** The type of a resource's Scale. Old API groups have their own. */
function scaleOf(entry: ResourceEntry, group: string, version: string): Schema | undefined {
  if (entry.scale === undefined) return undefined;
  const own =
    group !== '' && GROUP_PACKAGES[group] !== undefined ? kindSchema(`${group}/${version}`, 'Scale') : undefined;
  return own ?? schemaOf('autoscaling.v1.Scale');
}

function requireSchema({ kind, release }: ResourceEntry, group: string, version: string): Schema {
  const schema = kindSchema(group === '' ? version : `${group}/${version}`, kind, release);
  if (schema === undefined) throw new Error(`no API type for ${kind} in ${group}/${version}`);
  return schema;
}

function documentV3(
  resources: readonly DescribedResource[],
  docs: Readonly<Record<string, TypeDocs>>,
  info: Json,
): Json {
  return {
    openapi: '3.0.0',
    info,
    paths: pathsOf(resources, 3),
    components: { schemas: componentsOf(resources, docs, 3) },
  };
}

function documentV2(
  resources: readonly DescribedResource[],
  docs: Readonly<Record<string, TypeDocs>>,
  info: Json,
): Json {
  return { swagger: '2.0', info, paths: pathsOf(resources, 2), definitions: componentsOf(resources, docs, 2) };
}

function pathsOf(resources: readonly DescribedResource[], dialect: Dialect): Json {
  return Object.assign({}, ...resources.map((resource) => resourcePaths(resource, dialect))) as Json;
}

function componentsOf(
  resources: readonly DescribedResource[],
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
  for (const resource of resources) {
    const { schema, scaleSchema, entry } = resource;
    if (scaleSchema !== undefined) visit(scaleSchema);
    if (schema === undefined) addCustom(components, resource, dialect);
    else visit(schema);
    if (schema !== undefined && entry.verbs.includes('list'))
      components.set(listNameOf(componentName(schema)), listComponentOf(schema, dialect));
  }
  visit(schemaOf('meta.v1.ObjectMeta'));
  for (const scalar of Object.values(SCALAR_COMPONENTS))
    components.set(scalar.name, dialect === 2 ? scalar.v2 : scalar.v3);
  components.set('io.k8s.apimachinery.pkg.apis.meta.v1.Patch', { type: 'object' });
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function addCustom(components: Map<string, Json>, { entry, type }: DescribedResource, dialect: Dialect): void {
  if (!entry.custom) return;
  const { openApiSchema, listKind, selectableFields } = entry.custom;
  components.set(type.component, customComponent(openApiSchema, type.gvk, selectableFields, dialect));
  const list = customListComponent(type.component, type.gvk, listKind, selectableFields, dialect);
  components.set(type.listComponent, list);
  for (const { kind, openApiSchema: posted } of Object.values(entry.actions ?? {})) {
    const { component, gvk } = actionType(type, kind);
    components.set(component, customComponent(posted, gvk, [], dialect));
  }
}
