import { stuckPods } from '../../explain/stuckPods.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';

/** Shows the pods of a ReplicaSet or a ReplicationController that are not ready. */
export async function explainOwner({ registry, object }: ExplainFacts): Promise<RoomExplanation> {
  return { stuckPods: stuckPods(await podsOf(registry, object)) };
}
