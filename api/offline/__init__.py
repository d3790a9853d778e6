"""Batches from files: any number of items, on all cores or on a cluster, resumable after a kill."""
