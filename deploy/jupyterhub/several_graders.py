"""A course that several people grade: its formgrader as a service of the Hub, under the course's own account.

It stands in CLASSROOM/hub/more. Graders need no account beside their own; students are let in nowhere.
"""

import grp
import os
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub provides it)
classroom = Path(__file__).resolve().parents[2]
port = int(os.environ.get("PORT", "8000"))

COURSE = "attention"  # the service is called as the course, since nbgrader looks for it by that name
ACCOUNT = os.environ.get("ACCOUNT", "attention")  # of Linux; the course lies in its home
GRADERS = grp.getgrnam("instructors").gr_mem
STUDENTS = grp.getgrnam("students").gr_mem

c.JupyterHub.services = [
    {
        "name": COURSE,
        "url": f"http://127.0.0.1:{port + 3}",
        "command": [str(classroom / "staff/bin/jupyterhub-singleuser")],
        "user": ACCOUNT,
        "cwd": f"/home/{ACCOUNT}",
        "environment": {"PATH": f"{classroom}/staff/bin:/usr/local/bin:/usr/bin:/bin"},
        "oauth_no_confirm": True,
    }
]
# nbgrader's JupyterHubAuthPlugin reads from these groups who grades and who takes which course.
c.JupyterHub.load_groups = {
    f"formgrade-{COURSE}": {"users": [*GRADERS, ACCOUNT]},
    f"nbgrader-{COURSE}": {"users": STUDENTS},
}
c.JupyterHub.load_roles = [
    {
        "name": f"graders-{COURSE}",
        "groups": [f"formgrade-{COURSE}"],
        "scopes": [f"access:services!service={COURSE}"],
    },
    # The formgrader looks up its account's courses, and keeps the list of those who take this one.
    {
        "name": f"formgrader-{COURSE}",
        "services": [COURSE],
        "scopes": [f"read:users!user={ACCOUNT}", "list:groups", f"groups!group=nbgrader-{COURSE}"],
    },
    # A person's own server may ask the Hub which groups that person is in, and nothing about others.
    {"name": "server", "scopes": ["users:activity!user", "access:servers!server", "read:users!user"]},
]
