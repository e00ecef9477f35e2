"""What a running service keeps beside a library: jobs that survive a restart, their results, and keys.

All of it is in one SQLite file in the library's folder `service`, for any number of processes: `jobs` and `keys` are
its doors, `worker` is the process that does the work, one a kind of jobs and library.
"""
