"""The Hub of a classroom: who may come in, and which server each of them gets.

It stands in CLASSROOM/hub, beside what the Hub remembers; docs/jupyterhub.md tells the whole.
"""

import grp
import os
import pwd
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub provides it)
here = Path(__file__).resolve().parent
classroom = here.parent
port = int(os.environ.get("PORT", "8000"))

INSTRUCTORS, STUDENTS = "instructors", "students"  # groups of Linux


def is_instructor(name):
    """Whether a person of this machine may read the kit's hidden part."""
    instructors = grp.getgrnam(INSTRUCTORS).gr_gid
    return instructors in os.getgrouplist(name, pwd.getpwnam(name).pw_gid)


def choose_environment(spawner):
    """Instructors get the environment with the kit; everyone else gets the one without."""
    programs = classroom / ("staff" if is_instructor(spawner.user.name) else "student") / "bin"
    spawner.cmd = [str(programs / "jupyterhub-singleuser")]
    spawner.environment = {"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin"}


# People log in with their name and password of this machine.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {INSTRUCTORS, STUDENTS}
c.Spawner.pre_spawn_hook = choose_environment
c.Spawner.default_url = "/lab"

# Everything is on loopback; what faces the network is a web server of yours with HTTPS in front of PORT.
c.JupyterHub.bind_url = f"http://127.0.0.1:{port}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{port + 1}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{port + 2}"
c.ConfigurableHTTPProxy.command = [str(classroom / "proxy/node_modules/.bin/configurable-http-proxy")]
c.ConfigurableHTTPProxy.pid_file = str(here / "proxy.pid")
c.JupyterHub.cookie_secret_file = str(here / "cookie_secret")
c.JupyterHub.db_url = f"sqlite:///{here / 'jupyterhub.sqlite'}"

for more in sorted(here.glob("more/*.py")):  # a course with several graders, say
    load_subconfig(str(more))  # noqa: F821 (JupyterHub provides it)
