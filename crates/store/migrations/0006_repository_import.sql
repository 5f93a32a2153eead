-- An import from a URL outlives the request that began it: where from, how far, and why it failed.
ALTER TABLE repository_making ADD COLUMN url TEXT;
ALTER TABLE repository_making ADD COLUMN progress TEXT;
ALTER TABLE repository_making ADD COLUMN failed_at {I64};
ALTER TABLE repository_making ADD COLUMN reason TEXT;
