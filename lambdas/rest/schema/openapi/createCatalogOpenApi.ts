import type { CustomResource, ResourceCatalog } from '../../../registry/ResourceCatalog.ts';
import { createOpenApi, type OpenApi } from './createOpenApi.ts';

/** The documents of a server at one moment: they change when a definition does. */
export type CurrentOpenApi = () => Promise<OpenApi>;

/**
 * Describes the resources of a catalog. The documents of built-in groups are built once. Those with custom resources are built anew when the established definitions have changed, and only when
 * they are asked for.
 */
export function createCatalogOpenApi({ builtIn, custom }: ResourceCatalog, gitVersion: string): CurrentOpenApi {
  const fixed = createOpenApi(builtIn, gitVersion);
  let last: { readonly defined: readonly CustomResource[]; readonly openApi: OpenApi } | undefined;
  return async () => {
    const defined = (await custom.list()).filter(({ isEstablished }) => isEstablished);
    if (defined.length === 0) return fixed;
    if (last && isSame(last.defined, defined)) return last.openApi;
    const entries = defined.flatMap(({ served }) => [...served.values()]);
    last = { defined, openApi: createOpenApi([...builtIn, ...entries], gitVersion, fixed) };
    return last.openApi;
  };
}

/** A custom resource is the same object as long as its definition has not changed. */
function isSame(a: readonly CustomResource[], b: readonly CustomResource[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
