import type { Node } from '../../../objects/kinds.ts';
import { MAX_NODE_SCORE, type ScorePlugin } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';

const MEBIBYTE = 1024 * 1024;
/** Images that are smaller than this in sum make no difference: Kubernetes' `minThreshold`, in bytes. */
const LEAST_BYTES = 23 * MEBIBYTE;
/** For each container, larger images count as if they were as large as this: `maxContainerThreshold`. */
const MOST_BYTES = 1000 * MEBIBYTE;

/** The sizes of the images that a node has, by all of their names, in bytes. */
type Images = ReadonlyMap<string, number>;

const known = new WeakMap<Node, Images>();

/** Prefers the nodes that have the pod's images already. The fewer nodes have an image, the less it counts, so that not all its pods go to one of them. */
export const imageLocality: ScorePlugin = {
  name: 'ImageLocality',
  weight: 1,
  score({ spec }, nodes, cluster) {
    if (nodes.every(({ node }) => (node.status?.images ?? []).length === 0)) return undefined;
    const names = imagesOf(spec);
    const all = cluster.nodes.map(({ node }) => imagesOn(node));
    const shares = new Map(names.map((name) => [name, all.filter((images) => images.has(name)).length / all.length]));
    return nodes.map(({ node }) => {
      const images = imagesOn(node);
      const bytes = names.reduce((sum, name) => sum + Math.floor((images.get(name) ?? 0) * (shares.get(name) ?? 0)), 0);
      return scoreOf(bytes, names.length);
    });
  },
};

function scoreOf(bytes: number, containers: number): number {
  const most = MOST_BYTES * containers;
  const counted = Math.min(Math.max(bytes, LEAST_BYTES), most);
  return Math.floor((MAX_NODE_SCORE * (counted - LEAST_BYTES)) / (most - LEAST_BYTES));
}

function imagesOf({ initContainers = [], containers }: PodInfo['spec']): readonly string[] {
  return [...initContainers, ...containers].map(({ image = '' }) => normalizedName(image));
}

/** Reads what the node's kubelet says, once for each object. */
function imagesOn(node: Node): Images {
  const remembered = known.get(node);
  if (remembered) return remembered;
  const entries = (node.status?.images ?? []).flatMap(({ names = [], sizeBytes = 0 }) =>
    names.map((name): [string, number] => [name, sizeBytes]),
  );
  const images = new Map(entries);
  known.set(node, images);
  return images;
}

/** An image without a tag has the tag `latest`. */
function normalizedName(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
