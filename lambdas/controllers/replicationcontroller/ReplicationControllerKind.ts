import type { ReplicationController } from '../../objects/kinds.ts';
import type { ReplicaOwnerKind } from '../replicaset/ReplicaOwner.ts';

/** A ReplicationController is an older ReplicaSet, whose selector is a plain map of labels. */
export const REPLICATION_CONTROLLER: ReplicaOwnerKind = {
  controller: 'replicationcontroller',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  selectorOf(owner) {
    const matchLabels = (owner as ReplicationController).spec?.selector;
    return matchLabels && { matchLabels };
  },
  countsTerminating: false,
};
