"""The dashboard: pages in the browser, made by Streamlit; `main` is the script that it runs."""
