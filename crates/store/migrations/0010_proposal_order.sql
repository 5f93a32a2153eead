-- The queue in its two orders, so that its first page costs the same however much waits or was decided.
DROP INDEX proposal_queue;
CREATE INDEX proposal_waiting ON proposal(workspace_id, expires_at, id)
  WHERE status IN ('pending', 'failed', 'executing');
CREATE INDEX proposal_ended ON proposal(workspace_id, finished_at, id)
  WHERE status NOT IN ('pending', 'failed', 'executing');
