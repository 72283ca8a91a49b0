import type { Node } from '../../objects/kinds.ts';
import { parseImageReference } from './parseImageReference.ts';

/** Whether the node has the image, as its `status.images` says. A simulated node has no others, also none that its pods have pulled. Pure. */
export function hasImage(node: Node | undefined, image: string): boolean {
  const images = node?.status?.images ?? [];
  if (images.length === 0) return false;
  const wanted = canonicalName(image);
  return images.some(({ names = [] }) => names.some((name) => canonicalName(name) === wanted));
}

function canonicalName(image: string): string {
  const reference = parseImageReference(image);
  return 'error' in reference ? image : reference.canonical;
}
