"""The HTTP service and the command line: requests in, answers out. All rules live below.

Read in this order: `refusals` (what is said to a bad request), `fields` and `schemas` (what a
request may hold), `operations` (request -> answer, shared by HTTP and command line), `app`.
"""
