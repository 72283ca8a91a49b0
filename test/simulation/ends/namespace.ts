import { nameOf, type World } from '../World.ts';

/** No namespace is on its way out, and nothing has outlived its namespace. */
export function unfinishedNamespace(world: World): string | undefined {
  const objects = world.everything();
  const homeless = objects.find(
    ({ metadata: { namespace } }) => namespace !== undefined && world.get('namespaces', '', namespace) === undefined,
  );
  if (homeless) return `${nameOf(homeless)} has outlived its namespace`;
  const leaving = objects.find(
    ({ kind, metadata }) => kind === 'Namespace' && metadata.deletionTimestamp !== undefined,
  );
  return leaving && `${nameOf(leaving)} is still being deleted`;
}
